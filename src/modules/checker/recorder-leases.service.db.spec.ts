import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type DataSource } from 'typeorm';
import { eventually } from '../../../test/support/eventually.js';
import { useSource } from '../../../test/support/use-source.js';
import { readConfig } from '../../config/app-config.js';
import { type Shard } from '../../domain/shard.js';
import { KnownLocationsService } from '../locations/known-locations.service.js';
import { InProcessQueue } from './in-process.queue.js';
import { LeaseService } from './lease.service.js';
import { ProcessesService } from './processes.service.js';
import { RecorderLeasesService } from './recorder-leases.service.js';

const SHARDS = 16;
const CONFIG = readConfig({ REDIS_URL: 'redis://127.0.0.1:6379', SHARDS: String(SHARDS) });

/** A queue that may take long until it no longer delivers results. */
class SlowQueue extends InProcessQueue {
  received: readonly Shard[] = [];
  stopped: Promise<void> = Promise.resolve();

  override record(shards: readonly Shard[] = []): Promise<void> {
    this.received = shards;
    return this.stopped;
  }
}

let source: DataSource;
useSource((opened) => (source = opened));
beforeAll(() => void Logger.overrideLogger(false));
beforeEach(async () => {
  await source.query('DELETE FROM leases');
  await source.query('DELETE FROM processes');
});

/** A process that records results. */
function recorder() {
  const queue = new SlowQueue();
  const lease = new LeaseService(source, CONFIG, new ProcessesService(source, CONFIG, new InProcessQueue()));
  return { queue, leases: new RecorderLeasesService(CONFIG, queue, lease, new KnownLocationsService(source)) };
}

it('renews its leases while it still receives results of those that it gives away', async () => {
  const [first, second] = [recorder(), recorder()];
  await first.leases.renew();
  await second.leases.renew();
  expect([first.leases.shards, second.leases.shards]).toEqual([SHARDS, 0]);
  let stop!: () => void;
  first.queue.stopped = new Promise((resolve) => (stop = resolve));
  for (let round = 0; round < 2; round += 1) {
    await first.leases.renew();
    await second.leases.renew();
    expect([first.leases.shards, second.leases.shards]).toEqual([SHARDS / 2, 0]);
  }
  stop();
  await eventually(async () => {
    await second.leases.renew();
    expect(second.leases.shards).toBe(SHARDS / 2);
  });
  await first.leases.renew();
  expect(first.leases.shards).toBe(SHARDS / 2);
});

it('receives nothing more once it stops, and then gives all leases away', async () => {
  const [first, second] = [recorder(), recorder()];
  await first.leases.renew();
  expect(first.queue.received).toHaveLength(SHARDS);
  const stopping = first.leases.stopReceiving();
  await first.leases.renew();
  await stopping;
  await first.leases.renew();
  expect(first.queue.received).toEqual([]);
  await second.leases.renew();
  expect(second.leases.shards).toBe(0);
  await first.leases.stop();
  // The stopped process still runs.
  await second.leases.renew();
  expect(second.leases.shards).toBe(SHARDS);
});
