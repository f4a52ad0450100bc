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
    id: 'key',
    teamId: 'team',
    revision: 2,
    name: 'k',
    scopes: ['write'],
    createdBy: 'system',
    createdAt: at(0)!,
    prefix: 'B',
    secretHash: hashes.B!,
    expiresAt: at(expiresInMs),
    noticedExpiry: null,
    lastUsedAt: null,
    revokedAt: null,
    shownTo: 'seer of B',
    ...(overlapMs === null ? NO_PREVIOUS : previous),
    ...changes,
  };
}

const NEXT = { prefix: 'C', secretHash: hashes.C!, shownTo: 'seer of C' };

describe('rotated', () => {
  it.each<[string, ApiKey, string, number, [string, number] | null]>([
    ['refuses the old secret without an overlap', key(null), 'B', 0, null],
    ['retains the old secret for an overlap', key(null), 'B', HOUR_S, ['B', HOUR_MS]],
    ['retains the old secret if another key requests the rotation', key(null), 'X', HOUR_S, ['B', HOUR_MS]],
    ['ends an overlap at the expiry of its key', key(null, HOUR_MS), 'B', 2 * HOUR_S, ['B', HOUR_MS]],
    ['ends an overlap before the expiry of its key', key(null, 2 * HOUR_MS), 'B', HOUR_S, ['B', HOUR_MS]],
    ['retains the later of two old secrets', key(HOUR_MS), 'B', 2 * HOUR_S, ['B', 2 * HOUR_MS]],
    ['retains the later one if another key requests the rotation', key(HOUR_MS), 'X', 1, ['B', 1_000]],
    ['retains neither without an overlap', key(HOUR_MS), 'B', 0, null],
    ['retains the old secret if that requests another rotation', key(HOUR_MS), 'A', HOUR_S / 2, ['A', HOUR_MS / 2]],
    ['does not let the old secret extend itself', key(HOUR_MS), 'A', 2 * HOUR_S, ['A', HOUR_MS]],
    ['does not extend the old secret beyond its key', key(2 * HOUR_MS, HOUR_MS), 'A', 3 * HOUR_S, ['A', HOUR_MS]],
    ['lets the old secret end itself', key(HOUR_MS), 'A', 0, null],
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

describe('the previous secret', () => {
  it.each<[string, ApiKey, number | null]>([
    ['is neither accepted nor shown if there is none', key(null), null],
    ['is accepted and shown during its overlap', key(HOUR_MS), HOUR_MS],
    ['is accepted and shown in the last millisecond of its overlap', key(1), 1],
    ['is neither accepted nor shown exactly at the end of its overlap', key(0), null],
    ['is neither accepted nor shown after its overlap', key(-HOUR_MS), null],
    ['is accepted and shown until the expiry of its key, if that is earlier', key(HOUR_MS, 5), 5],
    ['is neither accepted nor shown if its key has expired', key(HOUR_MS, 0), null],
    ['is neither accepted nor shown if its key is revoked', key(HOUR_MS, null, { revokedAt: at(-1) }), null],
  ])('%s', (_, one, forMs) => {
    expect(isOverlapping(one, NOW)).toBe(forMs !== null);
    expect(toApiKeyDto(one, NOW)).toMatchObject({
      previousPrefix: forMs === null ? null : 'A',
      previousExpiresAt: at(forMs)?.toISOString() ?? null,
    });
  });
});
