import { readConfig } from '../src/config/app-config.js';
import { NO_TIMINGS } from '../src/domain/check-result.js';
import { type CheckJob, type CheckResult } from '../src/modules/checker/check-queue.js';
import { RedisQueue } from '../src/modules/checker/redis/redis.queue.js';
import { SlotClockService } from '../src/modules/checker/slot-clock.service.js';
import { RedisLinks } from '../src/redis/redis-links.js';

/**
 * A worker that takes and answers checks like any other, but says that the target is up instead of asking it. Its
 * settings come from the environment. Exits when its standard input ends.
 */
const config = readConfig();
const links = new RedisLinks(config.get('REDIS_URL')!, 'own');
const clock = new SlotClockService();
const queue = new RedisQueue(config, links, clock);

function answer({ plan, ...job }: CheckJob): CheckResult {
  const { teamId, type, revision, intervalMs, failureThreshold, recoveryThreshold } = plan;
  return {
    ...{ monitorId: job.monitorId, teamId, scheduledAt: job.scheduledAt, location: job.location, attempt: job.attempt },
    ...{ trigger: job.trigger, type, revision, intervalMs, thresholds: { failureThreshold, recoveryThreshold } },
    ...{ epoch: job.epoch, checkedAt: Math.max(clock.now(), job.scheduledAt), durationMs: 20, status: 'up' },
    outcome: {
      ...{ statusCode: 200, responseTimeMs: 20, timings: NO_TIMINGS, remoteAddress: '192.0.2.1' },
      ...{ error: null, failedAssertions: [] },
    },
  };
}

queue.onJobs((jobs) => void queue.sendResults(jobs.map(answer)));
process.stdout.write('ready\n');
process.stdin.resume().on('end', () => process.exit(0));
