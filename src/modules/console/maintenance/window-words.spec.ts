import { describe, expect, it } from '@jest/globals';
import { lengthWords, minutesWords, momentWords, nextOccurrences, presentEnd, spanWords } from './window-words.js';

const BERLIN = 'Europe/Berlin';
const NIGHTLY = {
  startsAt: '2026-03-27T01:30:00.000Z',
  endsAt: '2026-03-27T02:30:00.000Z',
  timezone: BERLIN,
  rrule: 'FREQ=DAILY;COUNT=4',
};
const at = (iso: string): number => Date.parse(iso);

describe('the next occurrences', () => {
  it('keep their wall-clock time across a clock change, and move forward if it is skipped', () => {
    const next = nextOccurrences(NIGHTLY, at('2026-03-27T01:30:00Z'), 5);
    expect(next.map((span) => spanWords(span, BERLIN))).toEqual([
      'Sat, 28 Mar 2026, 02:30 to 03:30 CET',
      'Sun, 29 Mar 2026, 03:30 to 04:30 CEST',
      'Mon, 30 Mar 2026, 02:30 to 03:30 CEST',
    ]);
  });

  it.each([
    ['starts later', { ...NIGHTLY, rrule: null }, '2026-03-26T00:00:00Z', 1],
    ['is over', { ...NIGHTLY, rrule: null }, '2026-03-27T01:30:00Z', 0],
    ['has no schedule', { ...NIGHTLY, startsAt: null, endsAt: null, rrule: null }, '2026-03-26T00:00:00Z', 0],
    ['recurs without end', { ...NIGHTLY, rrule: 'FREQ=DAILY' }, '2026-03-26T00:00:00Z', 5],
  ])('have the expected number for a window that %s', (_name, window, after, count) => {
    expect(nextOccurrences(window, at(after), 5)).toHaveLength(count);
  });

  it('are written with both days if they span midnight', () => {
    const span = { from: at('2026-01-04T22:30:00Z'), to: at('2026-01-05T01:00:00Z') };
    expect(spanWords(span, BERLIN)).toBe('Sun, 4 Jan 2026, 23:30 to Mon, 5 Jan 2026, 02:00 CET');
  });
});

describe('the end of the current occurrence', () => {
  it.each([
    ['before the occurrence', '2026-03-27T01:29:59.999Z', null],
    ['at its start', '2026-03-27T01:30:00Z', '2026-03-27T02:30:00Z'],
    ['at its end', '2026-03-27T02:30:00Z', null],
  ])('is determined %s', (_name, now, end) => {
    expect(presentEnd(NIGHTLY, at(now))).toBe(end === null ? null : at(end));
  });

  it('is written with its day', () => {
    expect(momentWords(at('2026-03-27T02:30:00Z'), BERLIN)).toBe('Fri, 27 Mar 2026, 03:30 CET');
  });
});

describe('lengthWords', () => {
  it.each([
    ['2026-03-27T02:30:00.000Z', '1 hour'],
    ['2026-03-27T03:00:00.000Z', '1 hour 30 minutes'],
    ['2026-03-28T03:30:00.000Z', '1 day 2 hours'],
  ])('states the whole duration until %s: %s', (endsAt, words) => {
    expect(lengthWords({ ...NIGHTLY, endsAt })).toBe(words);
  });
});

describe('minutesWords', () => {
  it.each([
    [5, '5 minutes'],
    [60, '1 hour'],
    [90, '1 hour 30 minutes'],
    [61, '1 hour 1 minute'],
    [720, '12 hours'],
    [1_440, '1 day'],
    [4_385, '3 days 1 hour 5 minutes'],
  ])('writes %i minutes as %s', (minutes, words) => {
    expect(minutesWords(minutes)).toBe(words);
  });
});
