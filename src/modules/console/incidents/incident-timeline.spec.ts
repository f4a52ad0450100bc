import { expect, it } from '@jest/globals';
import { type IncidentDto, type IncidentUpdateDto } from '../../incidents/dto/incident.dto.js';
import { incidentEvents } from './incident-timeline.js';

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();
const update = (minute: number, phase: IncidentUpdateDto['phase']) => ({ at: at(minute), phase }) as IncidentUpdateDto;

const DETECTED: Partial<IncidentDto> = { kind: 'detected', outageCount: 1, confirmedAt: at(1), createdAt: at(1) };
const MANUAL: Partial<IncidentDto> = { kind: 'manual', outageCount: 0, createdAt: at(0) };

it.each<[string, Partial<IncidentDto>, string[]]>([
  ['that was just detected', DETECTED, ['0 started', '1 confirmed']],
  [
    'that was acknowledged, updated and recovered from',
    { ...DETECTED, acknowledgedAt: at(3), resolvedAt: at(5), updates: [update(2, 'note'), update(4, 'monitoring')] },
    ['0 started', '1 confirmed', '2 note', '3 acknowledged', '4 monitoring', '5 recovered'],
  ],
  // Results arrived late: there was no recovery, because there was no outage.
  ['that was retracted', { ...DETECTED, outageCount: 0, resolvedAt: at(0) }, ['0 started', '1 confirmed']],
  ['that is reported at once', { ...MANUAL, updates: [update(0, 'investigating')] }, ['0 started', '0 investigating']],
  ['that is reported later', { ...MANUAL, createdAt: at(9) }, ['0 started', '9 reported']],
  [
    'that an update resolves',
    { ...MANUAL, resolvedAt: at(5), updates: [update(5, 'resolved'), update(6, 'postmortem')] },
    ['0 started', '5 resolved', '6 postmortem'],
  ],
  [
    'that is resolved before the closing message',
    { ...MANUAL, resolvedAt: at(4), updates: [update(5, 'resolved')] },
    ['0 started', '4 resolved', '5 resolved'],
  ],
])('an incident %s has its events in order', (_, members, expected) => {
  const base = { startedAt: at(0), confirmedAt: null, resolvedAt: null, acknowledgedAt: null, updates: [] };
  const events = incidentEvents({ ...base, ...members } as unknown as IncidentDto);
  const shown = events.map(
    (one) => `${new Date(one.at).getUTCMinutes()} ${one.is === 'update' ? one.update.phase : one.is}`,
  );
  expect(shown).toEqual(expected);
});
