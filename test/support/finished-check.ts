import { NO_TIMINGS } from '../../src/domain/check-result.js';
import { type FinishedCheck } from '../../src/modules/checker/finished-checks.service.js';

/** Returns a passing HTTP check of a monitor; `more` replaces its members. */
export function finishedCheck(monitorId: string, more: Partial<FinishedCheck> = {}): FinishedCheck {
  return {
    ...{ monitorId, scheduledAt: 1_000, location: 'default', attempt: 0, trigger: 'schedule', revision: 1, epoch: 1 },
    ...{ intervalMs: 1_000, checkedAt: 1_000, status: 'up', type: 'http', durationMs: 250 },
    outcome: {
      statusCode: 200,
      responseTimeMs: 240,
      timings: { ...NO_TIMINGS, dnsMs: 10, firstByteMs: 200 },
      remoteAddress: null,
      error: null,
      failedAssertions: [],
    },
    ...more,
  };
}
