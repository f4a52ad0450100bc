import { describe, expect, it } from '@jest/globals';
import { IDLE_MS, isAlive, isToBeNoted, SESSION_MS } from './session-life.js';

const T = Date.parse('2026-01-01T12:00:00.000Z');
const session = (seenAt: number) => ({ lastSeenAt: new Date(seenAt), expiresAt: new Date(T + SESSION_MS) });

describe('a session', () => {
  it.each<[string, number, number, boolean]>([
    ['just begun', T, T, true],
    ['a moment before seven idle days', T, T + IDLE_MS - 1, true],
    ['seven idle days', T, T + IDLE_MS, false],
    ['a moment before thirty days, in use', T + SESSION_MS - 5, T + SESSION_MS - 1, true],
    ['thirty days, in use', T + SESSION_MS - 5, T + SESSION_MS, false],
    ['seen by a clock that is ahead', T + 5_000, T, true],
  ])('%s', (_name, seenAt, now, expected) => {
    expect(isAlive(session(seenAt), now)).toBe(expected);
  });

  it.each([
    [0, false],
    [59_999, false],
    [60_000, true],
    [-1, false],
  ])('used %i ms after it was noted', (ms, expected) => {
    expect(isToBeNoted(session(T), T + ms)).toBe(expected);
  });
});
