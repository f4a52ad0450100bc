import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { createTestDatabase } from '../../../test/support/database.js';
import { readConfig } from '../../config/app-config.js';
import { dataSource } from '../../database/data-source.js';
import { LeaseService } from './lease.service.js';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let source: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  source = await dataSource(database.url).initialize();
});

afterAll(async () => {
  await source?.destroy();
  await database?.drop();
});

const lease = (): LeaseService => new LeaseService(source, readConfig({}));

describe('LeaseService', () => {
  it('grants the lease to one process at a time, each holder under a new epoch', async () => {
    const [first, second] = [lease(), lease()];
    expect(await first.acquire(0)).toEqual({ epoch: 1, takenOver: true, servedUntil: null });
    expect(await second.acquire(0)).toBeNull();
    expect(await first.acquire(5_000)).toMatchObject({ epoch: 1, takenOver: false });

    await first.release(7_000);
    expect(await second.acquire(0)).toEqual({ epoch: 2, takenOver: true, servedUntil: 7_000 });
    expect(await first.acquire(9_000)).toBeNull();
    await first.release(9_000);
    expect(await second.acquire(0)).toMatchObject({ epoch: 2, servedUntil: 7_000 });

    await source.query(`UPDATE leases SET expires_at = now() - interval '1 second'`);
    expect(await first.acquire(0)).toMatchObject({ epoch: 3, takenOver: true });
  });

  it('grants the lease for at most 5 s, so that another process takes over soon after a crash', async () => {
    await source.query('DELETE FROM leases');
    const holder = lease();
    // Once for the grant, once for the renewal.
    for (const servedUntil of [0, 1_000]) {
      expect(await holder.acquire(servedUntil)).not.toBeNull();
      const [row] = await source.query<{ seconds: number }[]>(
        'SELECT extract(epoch FROM expires_at - now())::float8 AS seconds FROM leases',
      );
      expect(row!.seconds).toBeLessThanOrEqual(5);
    }
  });

  it('takes the lease at once with the embedded database, whose earlier user must be dead', async () => {
    await lease().acquire(0);
    const embedded = new LeaseService(source, readConfig({}).withEmbedded(database.url));
    expect(await embedded.acquire(0)).toMatchObject({ takenOver: true });
  });

  it('grants the lease to one of many processes that request it at once', async () => {
    await source.query('DELETE FROM leases');
    const grants = await Promise.all(Array.from({ length: 10 }, () => lease().acquire(0)));
    expect(grants.filter((grant) => grant !== null)).toHaveLength(1);
  });
});
