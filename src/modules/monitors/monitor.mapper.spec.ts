import { describe, expect, it } from '@jest/globals';
import { Monitor } from './definition/monitor.entity.js';
import { type MonitorDto } from './dto/monitor.dto.js';
import { toMonitorDto } from './monitor.mapper.js';

const START = Date.UTC(2026, 10, 18);
const at = (ms: number): Date => new Date(START + ms);

function shown(status: string, nowMs: number): MonitorDto {
  const monitor = Object.assign(new Monitor(), {
    id: '0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55',
    type: 'http',
    definition: {},
    intervalSeconds: 60,
    quorum: 'any',
    tags: [],
    parentIds: [],
    locations: ['default'],
    metadata: {},
    expiresAt: null,
    createdAt: at(0),
    updatedAt: at(0),
    resumedAt: null,
    pausedAt: at(1_000),
    pausedUntil: at(5_000),
    pauseReason: 'deploy',
  });
  const state = { status, verifying: null, statusSince: at(1_000) };
  return toMonitorDto({ monitor, state, lastCheckAt: null, lastError: null }, 'http://localhost', START + nowMs);
}

describe('the pause in a monitor response', () => {
  const runs = { pausedAt: at(1_000).toISOString(), pausedUntil: at(5_000).toISOString(), pauseReason: 'deploy' };

  it.each([
    ['before its end', 'paused', 4_999],
    ['at its end, before the end is recorded', 'paused', 5_000],
    ['while the status is still that from before the pause', 'up', 4_999],
  ])('is included %s', (_, status, nowMs) => {
    expect(shown(status, nowMs)).toMatchObject({ ...runs, resumedAt: null, nextCheckAt: null });
  });

  it('is omitted once a check after its end has changed the status', () => {
    const none = { pausedAt: null, pausedUntil: null, pauseReason: null };
    expect(shown('up', 5_000)).toMatchObject({ ...none, resumedAt: runs.pausedUntil, nextCheckAt: expect.any(String) });
  });
});
