import { describe, expect, it } from '@jest/globals';
import { type MonitorDto } from '../../monitors/dto/monitor.dto.js';
import { rhythm } from './state-sentence.js';

const monitor = (more: Partial<MonitorDto>): MonitorDto =>
  ({
    status: 'up',
    verifying: null,
    confirming: null,
    pauseReason: null,
    intervalSeconds: 60,
    retryIntervalSeconds: null,
    ...more,
  }) as MonitorDto;

describe('rhythm', () => {
  it.each<[Partial<MonitorDto>, string]>([
    [{}, 'Checked every minute.'],
    [{ intervalSeconds: 1 }, 'Checked every second.'],
    [{ intervalSeconds: 300 }, 'Checked every 5 minutes.'],
    [{ status: 'down' }, 'Checked every minute.'],
    [{ verifying: 'down' }, 'Failing, confirming. Re-checking every 20 seconds.'],
    [
      { status: 'pending', verifying: 'down', confirming: { failures: 1, needed: 2 } },
      'Failing, confirming (1 of 2). Re-checking every 20 seconds.',
    ],
    [{ status: 'pending', verifying: 'up' }, 'Passing, confirming. Re-checking every 20 seconds.'],
    [{ intervalSeconds: 5, verifying: 'down' }, 'Failing, confirming. Re-checking every 1.67 seconds.'],
    [
      { status: 'down', verifying: 'up', retryIntervalSeconds: 10 } as never,
      'Recovering, confirming. Re-checking every 10 seconds.',
    ],
    [{ status: 'paused' }, 'Checks are paused.'],
    [{ status: 'paused', pauseReason: 'Deploying' }, 'Checks are paused: Deploying'],
    [{ status: 'unknown' }, 'No results are being recorded. This time counts as neither up nor down.'],
  ])('describes %j as: %s', (more, text) => {
    expect(rhythm(monitor(more))).toBe(text);
  });
});
