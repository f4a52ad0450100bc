import { describe, expect, it } from '@jest/globals';
import { acknowledge, NOT_ACKNOWLEDGED } from './acknowledgement.js';

const START = Date.UTC(2026, 10, 24, 12);
const at = (seconds: number): Date => new Date(START + seconds * 1_000);
const UNTOUCHED = { ...NOT_ACKNOWLEDGED, resolvedAt: null };
const held = (until: number | null, resolved: number | null = null) => ({
  resolvedAt: resolved === null ? null : at(resolved),
  acknowledgedAt: at(0),
  acknowledgedBy: 'ada',
  acknowledgedUntil: until === null ? null : at(until),
  acknowledgeNote: 'On it.',
});
const byGrace = (seconds: number, until: number | null, acknowledgeNote: string | null) => ({
  acknowledgedAt: at(seconds),
  acknowledgedBy: 'grace',
  acknowledgedUntil: until === null ? null : at(until),
  acknowledgeNote,
});

describe('acknowledge', () => {
  it.each<[string, Parameters<typeof acknowledge>[0], object, number, unknown]>([
    ['lasts an hour', UNTOUCHED, {}, 0, byGrace(0, 3_600, null)],
    ['lasts as long as given', UNTOUCHED, { expiresInSeconds: 60, note: 'Mine.' }, 5, byGrace(5, 65, 'Mine.')],
    ['never expires with 0', UNTOUCHED, { expiresInSeconds: 0 }, 0, byGrace(0, null, null)],
    ['changes nothing while one is in effect', held(100), {}, 99, null],
    ['replaces the note of one in effect', held(null), { note: 'Mine.' }, 99, { acknowledgeNote: 'Mine.' }],
    ['has no note if it is blank', UNTOUCHED, { note: ' \n' }, 0, byGrace(0, 3_600, null)],
    ['removes the note of one in effect', held(null), { note: '' }, 99, { acknowledgeNote: null }],
    [
      'replaces the end of one in effect',
      held(100),
      { expiresInSeconds: 60 },
      99,
      { acknowledgeNote: 'On it.', acknowledgedUntil: at(159) },
    ],
    ['begins anew once the earlier one has expired', held(100), {}, 100, byGrace(100, 3_700, 'On it.')],
    ['changes only the note after the end', held(100, 200), { note: 'Why.' }, 300, { acknowledgeNote: 'Why.' }],
    ['changes nothing after the end without a note', held(100, 200), {}, 300, null],
  ])('%s', (_, before, sent, seconds, expected) => {
    expect(acknowledge(before, 'grace', sent, at(seconds).getTime())).toEqual(expected);
  });
});
