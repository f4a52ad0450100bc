import { describe, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { useSource } from '../../../test/support/use-source.js';
import { readConfig } from '../../config/app-config.js';
import { HOUR_MS } from '../../domain/durations.js';
import { DatabaseTimeService } from './database-time.service.js';
import { InProcessQueue } from './in-process.queue.js';
import { LeaseService } from './lease.service.js';
import { ProcessesService } from './processes.service.js';
import { SlotClockService } from './slot-clock.service.js';

const CONFIG = readConfig({ REDIS_URL: 'redis://127.0.0.1:6379' });

let source: DataSource;
useSource((opened) => (source = opened));

/** Returns by how many milliseconds the clock of a process that starts now is ahead of that of the database. */
async function aheadAtStart(): Promise<number> {
  const clock = new SlotClockService();
  const lease = new LeaseService(source, CONFIG, new ProcessesService(source, CONFIG, new InProcessQueue()));
  await new DatabaseTimeService(CONFIG, source, clock, lease).onModuleInit();
  return clock.aheadMs();
}

describe('DatabaseTimeService', () => {
  it.each([
    ['follows the clock of the database if no shard was served', null, 0],
    ['follows the clock of the database if it is ahead of the schedule', -HOUR_MS, 0],
    ['continues from the schedule if the clock of the database was set back', HOUR_MS, HOUR_MS],
    ['ignores a mark too far ahead to be credible', 3 * HOUR_MS, 0],
  ])('%s', async (_, servedAheadMs, expectedMs) => {
    await source.query('DELETE FROM leases');
    if (servedAheadMs !== null) {
      await source.query(
        `INSERT INTO leases (name, holder, epoch, expires_at, served_until)
         VALUES ('dispatcher-3', gen_random_uuid(), 1, now(), now() + $1 * interval '1 ms')`,
        [servedAheadMs],
      );
    }
    const aheadMs = await aheadAtStart();
    expect(aheadMs).toBeGreaterThanOrEqual(Math.max(0, expectedMs - 10_000));
    expect(aheadMs).toBeLessThanOrEqual(expectedMs);
  });
});
