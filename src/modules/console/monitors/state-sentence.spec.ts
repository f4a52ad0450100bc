import { describe, expect, it } from '@jest/globals';
import { type MonitorDto } from '../../monitors/dto/monitor.dto.js';
import { rhythm } from './state-sentence.js';

const monitor = (more: Partial<MonitorDto>): MonitorDto =>
  ({
    status: 'up',
    verifying: null,
    pauseReason: null,
    intervalSeconds: 60,
    retryIntervalSeconds: null,
    ...more,
  }) as MonitorDto;

describe('rhythm', () => {
  it.each<[Partial<MonitorDto>, string]>([
    [{}, 'Checked every 60 s.'],
    [{ intervalSeconds: 1 }, 'Checked every second.'],
    [{ intervalSeconds: 300 }, 'Checked every 5 minutes.'],
    [{ status: 'down' }, 'Checked every 60 s.'],
    [{ verifying: 'down' }, 'The latest check failed; confirming. Re-checking every 20 s.'],
    [{ intervalSeconds: 5, verifying: 'down' }, 'The latest check failed; confirming. Re-checking every 1.67 s.'],
    [
      { status: 'down', verifying: 'up', retryIntervalSeconds: 10 } as never,
      'The latest check passed; confirming. Re-checking every 10 s.',
    ],
    [{ status: 'paused' }, 'Checks are paused.'],
    [{ status: 'paused', pauseReason: 'Deploying' }, 'Checks are paused: Deploying'],
    [{ status: 'unknown' }, 'No results are arriving. This time does not count as up.'],
  ])('describes %j as: %s', (more, text) => {
    expect(rhythm(monitor(more))).toBe(text);
  });
});
