import { describe, expect, it } from '@jest/globals';
import { type ApiKey } from './api-key.entity.js';
import { toApiKeyDto } from './api-key.mapper.js';
import { isOverlapping, NO_PREVIOUS, rotated } from './api-key-rotation.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const HOUR_S = 3_600;
const HOUR_MS = HOUR_S * 1_000;

const hashes = Object.fromEntries(['A', 'B', 'C'].map((name) => [name, Buffer.from(name)]));
const at = (ms: number | null) => (ms === null ? null : new Date(NOW + ms));

/** A key whose secret is B and, unless `overlapMs` is null, was A before; times are relative to now. */
function key(overlapMs: number | null, expiresInMs: number | null = null, changes: Partial<ApiKey> = {}): ApiKey {
  const former = { previousPrefix: 'A', previousSecretHash: hashes.A!, previousShownTo: 'seer of A' };
  const previous = { ...former, previousExpiresAt: at(overlapMs) };
  return {
    ...{ id: 'key', teamId: 'team', revision: 2, name: 'k', scopes: ['write'], createdBy: 'system', createdAt: at(0)! },
    ...{ prefix: 'B', secretHash: hashes.B!, expiresAt: at(expiresInMs), lastUsedAt: null, revokedAt: null },
    shownTo: 'seer of B',
    ...(overlapMs === null ? NO_PREVIOUS : previous),
    ...changes,
  };
}

const NEXT = { prefix: 'C', secretHash: hashes.C!, shownTo: 'seer of C' };

describe('rotated', () => {
  it.each<[string, ApiKey, string, number, [string, number] | null]>([
    ['no overlap: the old secret is refused', key(null), 'B', 0, null],
    ['an overlap keeps the old secret', key(null), 'B', HOUR_S, ['B', HOUR_MS]],
    ['so it does where another key asks', key(null), 'X', HOUR_S, ['B', HOUR_MS]],
    ['an overlap ends with its key', key(null, HOUR_MS), 'B', 2 * HOUR_S, ['B', HOUR_MS]],
    ['an overlap ends before its key', key(null, 2 * HOUR_MS), 'B', HOUR_S, ['B', HOUR_MS]],
    ['of two old secrets the later is kept', key(HOUR_MS), 'B', 2 * HOUR_S, ['B', 2 * HOUR_MS]],
    ['so it is where another key asks', key(HOUR_MS), 'X', 1, ['B', 1_000]],
    ['neither is kept without an overlap', key(HOUR_MS), 'B', 0, null],
    ['the old secret asks again and stays', key(HOUR_MS), 'A', HOUR_S / 2, ['A', HOUR_MS / 2]],
    ['the old secret never prolongs itself', key(HOUR_MS), 'A', 2 * HOUR_S, ['A', HOUR_MS]],
    ['nor beyond the end of its key', key(2 * HOUR_MS, HOUR_MS), 'A', 3 * HOUR_S, ['A', HOUR_MS]],
    ['the old secret gives itself up', key(HOUR_MS), 'A', 0, null],
  ])('%s', (_, before, askedBy, overlapSeconds, previous) => {
    const after = rotated(before, NEXT, { askedBy, overlapSeconds }, NOW);
    expect(after).toEqual({
      ...NEXT,
      previousPrefix: previous?.[0] ?? null,
      previousSecretHash: previous ? hashes[previous[0]] : null,
      previousShownTo: previous ? `seer of ${previous[0]}` : null,
      previousExpiresAt: at(previous?.[1] ?? null),
    });
  });
});

describe('the secret before the last rotation', () => {
  it.each<[string, ApiKey, number | null]>([
    ['there is none', key(null), null],
    ['its overlap runs', key(HOUR_MS), HOUR_MS],
    ['its overlap runs for a millisecond more', key(1), 1],
    ['its overlap is over, exactly now', key(0), null],
    ['its overlap is long over', key(-HOUR_MS), null],
    ['the expiry of its key was brought forward', key(HOUR_MS, 5), 5],
    ['its key has expired', key(HOUR_MS, 0), null],
    ['its key is revoked', key(HOUR_MS, null, { revokedAt: at(-1) }), null],
  ])('%s: accepted and shown', (_, one, forMs) => {
    expect(isOverlapping(one, NOW)).toBe(forMs !== null);
    expect(toApiKeyDto(one, NOW)).toMatchObject({
      previousPrefix: forMs === null ? null : 'A',
      previousExpiresAt: at(forMs)?.toISOString() ?? null,
    });
  });
});
