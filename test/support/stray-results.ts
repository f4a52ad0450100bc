import { NO_TIMINGS } from '../../src/domain/check-result.js';
import { type CheckResult } from '../../src/modules/checker/check-queue.js';

/** Returns results of a deleted monitor of a team: they occupy the queue like all others, but leave no row. */
export function strayResults(count: number, teamId?: string): CheckResult[] {
  const now = Date.now();
  return Array.from({ length: count }, (_, index) => ({
    monitorId: '0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55',
    teamId,
    scheduledAt: now - index,
    location: 'default',
    attempt: 0,
    trigger: 'schedule',
    revision: 1,
    intervalMs: 1_000,
    epoch: 1,
    checkedAt: now,
    status: 'up',
    thresholds: { failureThreshold: 1, recoveryThreshold: 1 },
    outcome: {
      statusCode: 200,
      responseTimeMs: 1,
      timings: NO_TIMINGS,
      remoteAddress: null,
      error: null,
      failedAssertions: [],
    },
  }));
}
