import { describe, expect, it } from '@jest/globals';
import { Cron } from 'croner';
import { nextTime } from './calendar-times.js';
import { parseCron } from './cron.js';
import { offsetSpanAt } from './zone-offsets.js';

const ms = (text: string): number => Date.parse(text);
const iso = (at: number): string => new Date(at).toISOString();

describe('compared with the library croner', () => {
  const ZONES = [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kolkata',
    'America/Sao_Paulo',
  ];
  const EXPRESSIONS = [
    '0 2 * * *',
    '30 2 * * *',
    '0 */6 * * *',
    '15 10 1 * *',
    '0 9 * * 1-5',
    '30 1 * * 0',
    '0 0 L * *',
    '0 12 * * 5#2',
    '5 4 13 * 5',
    '*/7 2 * * *',
    '0 0 29 2 *',
    '10,40 1-3 * * *',
  ];
  const fromMs = ms('2024-01-01T00:00Z');
  const toMs = ms('2029-01-01T00:00Z');

  /** Returns whether the clocks change within a day of a moment. */
  function isNearChange(timezone: string, atMs: number): boolean {
    const dayMs = 86_400_000;
    return offsetSpanAt(timezone, atMs - dayMs).offsetMs !== offsetSpanAt(timezone, atMs + dayMs).offsetMs;
  }

  it.each(EXPRESSIONS)('%s has the same times over five years, except where the clocks change', (expression) => {
    for (const timezone of ZONES) {
      const rule = parseCron(expression);
      const theirs = new Set<number>();
      const library = new Cron(expression, { timezone, domAndDow: false });
      for (let at = library.nextRun(new Date(fromMs - 1_000)); at && at.getTime() < toMs; at = library.nextRun(at)) {
        theirs.add(at.getTime());
      }
      const ours = new Set<number>();
      for (let at = nextTime(rule, timezone, fromMs - 1); at !== null && at < toMs; at = nextTime(rule, timezone, at)) {
        ours.add(at);
      }
      const different = [...ours].filter((at) => !theirs.has(at)).concat([...theirs].filter((at) => !ours.has(at)));
      expect(different.filter((at) => !isNearChange(timezone, at)).map(iso)).toEqual([]);
      expect(ours.size).toBeGreaterThan(1);
    }
  });
});
