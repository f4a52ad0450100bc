import { describe, expect, it } from '@jest/globals';
import { type LocationState, PENDING_STATE } from '../../domain/monitor-state.js';
import { Monitor } from './definition/monitor.entity.js';
import { type MonitorDto } from './dto/monitor.dto.js';
import { type MonitorView, toMonitorDto } from './monitor.mapper.js';

const START = Date.UTC(2026, 10, 18);
const at = (ms: number): Date => new Date(START + ms);

function shown(status: string, nowMs: number, more: Partial<MonitorView> = {}): MonitorDto {
  const monitor = Object.assign(new Monitor(), {
    id: '0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55',
    type: 'http',
    definition: {},
    intervalSeconds: 60,
    failureThreshold: 3,
    recoveryThreshold: 2,
    quorum: 'any',
    tags: [],
    parentIds: [],
    runbookUrl: null,
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
  return toMonitorDto(
    {
      ...{ monitor, state, lastCheckAt: null, lastError: null, certificate: null, registration: null, unconfirmed: [] },
      ...{ partialOutageLocations: [], dueAt: null, notified: true, ...more },
    },
    'http://localhost',
    START + nowMs,
  );
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

describe('the confirmation in a monitor response', () => {
  const run = (count: number) => ({ count, startedAt: START });
  const up = { ...PENDING_STATE, status: 'up', since: START } as const;
  const failing = (count: number): LocationState => ({ ...up, streak: { status: 'down', ...run(count) } });
  const slow: LocationState = { ...up, streak: { status: 'degraded', ...run(2) }, passing: run(9) };
  const first: LocationState = { ...PENDING_STATE, streak: { status: 'down', ...run(1) } };

  it.each<[string, string, string | null, LocationState[], MonitorDto['confirming']]>([
    ['of a settled monitor', 'up', null, [], null],
    ['of a failing monitor', 'up', 'down', [failing(2)], { failures: 2, needed: 3 }],
    ['of a monitor whose first check failed', 'pending', 'down', [first], { failures: 1, needed: 3 }],
    [
      'of several locations is that of the furthest',
      'up',
      'down',
      [failing(1), failing(2), up],
      { failures: 2, needed: 3 },
    ],
    ['concerns the reported change', 'up', 'degraded', [failing(2), slow], { failures: 2, needed: 3 }],
    ['is that of a recovery, too', 'down', 'up', [{ ...up, status: 'down', streak: { status: 'up', ...run(1) }, passing: run(1) }], { failures: 1, needed: 2 }], // prettier-ignore
  ])('%s', (_, status, verifying, unconfirmed, expected) => {
    const state = { status, verifying, statusSince: at(0) };
    expect(shown(status, 10_000, { state, unconfirmed }).confirming).toEqual(expected);
  });
});
