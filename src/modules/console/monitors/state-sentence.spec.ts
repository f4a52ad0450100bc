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
    [{ verifying: 'down' }, 'The latest check failed, which is not confirmed yet. It is re-checked every 20 s.'],
    [
      { status: 'down', verifying: 'up', retryIntervalSeconds: 10 } as never,
      'The latest check passed, which is not confirmed yet. It is re-checked every 10 s.',
    ],
    [{ status: 'paused' }, 'It is not checked.'],
    [{ status: 'paused', pauseReason: 'Deploying' }, 'It is not checked: Deploying'],
    [{ status: 'unknown' }, 'No check has come back; time like this never counts as up.'],
  ])('describes %j as: %s', (more, text) => {
    expect(rhythm(monitor(more))).toBe(text);
  });
});
