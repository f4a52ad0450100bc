import { describe, expect, it } from '@jest/globals';
import { type IncidentDto } from '../../incidents/dto/incident.dto.js';
import { incidentMark, lengthWords } from './incident-words.js';

const NOW_MS = Date.parse('2026-01-01T12:00:00.000Z');

describe('an incident in words', () => {
  it.each<[string, Partial<IncidentDto>, string, string]>([
    ['one outage', {}, 'Open, down', '1 hour, ongoing'],
    ['one outage, resolved', { status: 'resolved', resolvedAt: '2026-01-01T11:02:00.000Z' }, 'Resolved', '2 minutes'],
    // Between two outages the monitor is up, so "down" would be wrong.
    ['a flapping monitor', { outageCount: 4 }, 'Open, flapping', '1 hour, 4 outages, ongoing'],
    [
      'a flapping monitor, resolved',
      { outageCount: 4, status: 'resolved', resolvedAt: '2026-01-01T11:30:00.000Z' },
      'Resolved',
      '30 minutes, 4 outages',
    ],
    ['a reported incident with an impact', { outageCount: 0, impact: 'degraded' }, 'Open, degraded', '1 hour, ongoing'],
    ['a reported incident without an impact', { outageCount: 0, impact: 'none' }, 'Open', '1 hour, ongoing'],
  ])('describes %s', (_, more, word, length) => {
    const incident = {
      status: 'open',
      impact: 'down',
      outageCount: 1,
      startedAt: '2026-01-01T11:00:00.000Z',
      resolvedAt: null,
      ...more,
    } as IncidentDto;
    expect(incidentMark(incident).word).toBe(word);
    expect(lengthWords(incident, NOW_MS)).toBe(length);
  });
});
