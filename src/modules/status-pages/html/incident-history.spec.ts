import { describe, expect, it } from '@jest/globals';
import { Clock } from '../../../html/time-text.js';
import { type PublicIncidentDto } from '../dto/public-incident.dto.js';
import { type PublicPage } from '../public-page.types.js';
import { incidentHistory } from './incident-history.js';

const NOW = '2026-11-20T12:00:00.000Z';
const LONG_AGO = '2020-01-01T00:00:00.000Z';

type Told = readonly [id: string, startedAt: string, resolvedAt: string | null];

function history(told: readonly Told[], { timezone = 'UTC', createdAt = LONG_AGO } = {}): string[] {
  const incidents = told.map(([id, startedAt, resolvedAt]) => {
    return { id, startedAt, resolvedAt, status: resolvedAt === null ? 'open' : 'resolved' } as PublicIncidentDto;
  });
  const view = { computedAt: NOW, timezone, incidents } as unknown as PublicPage['view'];
  const page = { createdAt: new Date(createdAt), view } as PublicPage;
  return incidentHistory(page, new Clock(timezone, Date.parse(NOW))).map(({ first, last, began, alsoThen }) => {
    const named = [...began.map(({ id }) => id), ...alsoThen.map(({ id }) => `(${id})`)].join(' ');
    return `${first === last ? first : `${first}..${last}`}: ${named || 'none'}`;
  });
}

describe('incidentHistory', () => {
  it.each<[string, readonly Told[], string[]]>([
    ['no incidents', [], ['2026-11-07..2026-11-20: none']],
    [
      'an incident of the previous day',
      [['a', '2026-11-19T10:00:00Z', '2026-11-19T11:00:00Z']],
      ['2026-11-20: none', '2026-11-19: a', '2026-11-07..2026-11-18: none'],
    ],
    [
      'an incident across midnight, which is linked on the second day',
      [['a', '2026-11-18T23:00:00Z', '2026-11-19T01:00:00Z']],
      ['2026-11-20: none', '2026-11-19: (a)', '2026-11-18: a', '2026-11-07..2026-11-17: none'],
    ],
    [
      'an open incident, which is only linked',
      [['a', '2026-11-19T23:00:00Z', null]],
      ['2026-11-20: (a)', '2026-11-19: (a)', '2026-11-07..2026-11-18: none'],
    ],
    [
      'an incident that began before the first day',
      [['a', '2026-10-01T00:00:00Z', '2026-11-08T01:00:00Z']],
      ['2026-11-09..2026-11-20: none', '2026-11-08: (a)', '2026-11-07: a'],
    ],
    [
      'an incident that ended on the day before the first day',
      [['a', '2026-11-06T10:00:00Z', '2026-11-06T13:00:00Z']],
      ['2026-11-07..2026-11-20: none', '2026-11-06: a'],
    ],
  ])('lists the days with %s', (_, told, days) => {
    expect(history(told)).toEqual(days);
  });

  it('uses the days of the time zone', () => {
    const told = [['a', '2026-11-19T23:30:00Z', '2026-11-19T23:40:00Z']] as const;
    expect(history(told, { timezone: 'Asia/Tokyo' })[0]).toBe('2026-11-20: a');
  });

  it('omits days before the creation of the page', () => {
    expect(history([], { createdAt: '2026-11-19T08:00:00Z' })).toEqual(['2026-11-19..2026-11-20: none']);
    expect(history([], { createdAt: NOW })).toEqual(['2026-11-20: none']);
  });

  it.each<[string, number, string[]]>([
    ['resolved', 50, ['2026-11-19..2026-11-20', '2026-11-18: 0 1 2 3 4 ']],
    ['resolved except for an older one', 49, ['2026-11-20: (old)', '2026-11-19: (old)', '2026-11-18: 0 1 2 3 4 ']],
    ['open', 0, ['2026-11-20: (0) (1) (2']],
  ])('omits days for which the list of incidents is incomplete, if all are %s', (_, resolved, days) => {
    const told = Array.from({ length: 50 }, (_one, n): Told => {
      if (n < resolved) return [`${n}`, '2026-11-18T10:00:00Z', '2026-11-18T11:00:00Z'];
      return [resolved > 0 ? 'old' : `${n}`, '2026-11-10T10:00:00Z', null];
    });
    expect(history(told).map((day) => day.slice(0, 22))).toEqual(days);
  });
});
