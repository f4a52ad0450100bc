import { expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { useSource } from '../../../test/support/use-source.js';
import { readConfig } from '../../config/app-config.js';
import { Transactions } from '../../database/tx.js';
import { InProcessQueue } from './in-process.queue.js';
import { LeaseService } from './lease.service.js';
import { ProcessesService } from './processes.service.js';
import { SweeperLeaseService } from './sweeper-lease.service.js';

const CONFIG = readConfig({ REDIS_URL: 'redis://127.0.0.1:6379' });

let source: DataSource;
useSource((opened) => (source = opened));

/** A process that sweeps. If processes share the work, it does not matter which one dispatches. */
function sweeper(): SweeperLeaseService {
  const lease = new LeaseService(source, CONFIG, new ProcessesService(source, CONFIG, new InProcessQueue()));
  return new SweeperLeaseService(CONFIG, lease, undefined as never, new Transactions(source));
}

it('gives its lease away when it stops, even if it is being renewed', async () => {
  const [first, second] = [sweeper(), sweeper()];
  const renewing = first.renew();
  expect(first.renew()).toBe(renewing);
  await first.stop();
  await renewing;
  expect(first.isHeld).toBe(false);
  await second.renew();
  expect(second.isHeld).toBe(true);
});
