import { describe, expect, it } from '@jest/globals';
import { IDLE_MS, isAlive, isToBeNoted, SESSION_MS } from './session-life.js';

const T = Date.parse('2026-01-01T12:00:00.000Z');
const session = (seenAt: number) => ({ lastSeenAt: new Date(seenAt), expiresAt: new Date(T + SESSION_MS) });

describe('a session', () => {
  it.each<[string, number, number, boolean]>([
    ['is alive when it starts', T, T, true],
    ['is alive just before seven idle days', T, T + IDLE_MS - 1, true],
    ['is over after seven idle days', T, T + IDLE_MS, false],
    ['is alive just before thirty days of use', T + SESSION_MS - 5, T + SESSION_MS - 1, true],
    ['is over after thirty days of use', T + SESSION_MS - 5, T + SESSION_MS, false],
    ['is alive if it was last used by a clock that is ahead', T + 5_000, T, true],
  ])('%s', (_name, seenAt, now, expected) => {
    expect(isAlive(session(seenAt), now)).toBe(expected);
  });

  it.each([
    [0, false],
    [59_999, false],
    [60_000, true],
    [-1, false],
  ])('used %i ms after its last recorded use, is recorded again: %s', (ms, expected) => {
    expect(isToBeNoted(session(T), T + ms)).toBe(expected);
  });
});
