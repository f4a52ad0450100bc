import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { type TestDatabase } from '../../../test/support/database.js';
import { type DatabaseLink, linkTo } from '../../../test/support/database-link.js';
import { eventually } from '../../../test/support/eventually.js';
import { useSource } from '../../../test/support/use-source.js';
import { type AppConfig, readConfig } from '../../config/app-config.js';
import { dataSource } from '../../database/data-source.js';
import { Transactions } from '../../database/tx.js';
import { type Shard } from '../../domain/shard.js';
import { InProcessQueue } from './in-process.queue.js';
import { type LeaseKind, LeaseService } from './lease.service.js';
import { ProcessesService } from './processes.service.js';

let database: TestDatabase;
let source: DataSource;
useSource((opened, its) => ([source, database] = [opened, its]));

beforeEach(async () => {
  jest.restoreAllMocks();
  await source.query('DELETE FROM leases');
  await source.query('DELETE FROM processes');
});

const ALONE = readConfig({});
const SHARDS = 16;
const SHARED = readConfig({ REDIS_URL: 'redis://127.0.0.1:6379', SHARDS: String(SHARDS) });

/** A queue that a test can stop from responding. */
class DoubtfulQueue extends InProcessQueue {
  override isResponding = true;
}

/** A process that requests leases, and remembers what it holds. */
class Party {
  private readonly processes: ProcessesService;
  readonly queue = new DoubtfulQueue();
  readonly lease: LeaseService;
  readonly epochs = new Map<Shard, number>();
  servedUntil: (number | null)[] = [];
  isShutOut = false;

  constructor(
    config: AppConfig = SHARED,
    private readonly kind: LeaseKind = 'dispatcher',
    own: DataSource = source,
  ) {
    this.processes = new ProcessesService(own, config, this.queue);
    this.lease = new LeaseService(own, config, this.processes);
  }

  get held(): Shard[] {
    return [...this.epochs.keys()];
  }

  async renew(servedUntil = 0): Promise<void> {
    const held = new Map(this.held.map((shard) => [shard, servedUntil]));
    const { grants, surplus, isShutOut } = await this.lease.renew(this.kind, held);
    if (surplus.length > 0) await this.lease.release(this.kind, surplus, servedUntil);
    this.epochs.clear();
    for (const { shard, epoch } of grants) this.epochs.set(shard, epoch);
    this.servedUntil = grants.map((grant) => grant.servedUntil);
    this.isShutOut = isShutOut;
  }

  async release(servedUntil = 0): Promise<void> {
    await this.lease.release(this.kind, this.held, servedUntil);
    await this.processes.leave();
    this.epochs.clear();
  }
}

const expire = (): Promise<unknown> => source.query(`UPDATE leases SET expires_at = now() - interval '1 second'`);

describe('LeaseService', () => {
  describe('if processes do not share the work', () => {
    it('grants the lease to one process at a time, each holder under a new epoch', async () => {
      const [first, second] = [new Party(ALONE), new Party(ALONE)];
      await first.renew();
      expect([...first.epochs]).toEqual([['all', 1]]);
      expect(first.servedUntil).toEqual([null]);
      await second.renew();
      expect(second.held).toEqual([]);
      await first.renew(5_000);
      expect([...first.epochs]).toEqual([['all', 1]]);

      await first.release(7_000);
      await second.renew();
      expect([...second.epochs]).toEqual([['all', 2]]);
      expect(second.servedUntil).toEqual([7_000]);
      await first.renew(9_000);
      expect(first.held).toEqual([]);
      await first.lease.release('dispatcher', ['all'], 9_000);
      await second.renew();
      expect([...second.epochs]).toEqual([['all', 2]]);
      expect(second.servedUntil).toEqual([7_000]);

      await expire();
      await first.renew();
      expect([...first.epochs]).toEqual([['all', 3]]);
    });

    describe('and another process waits for it', () => {
      let link: DatabaseLink;
      let linked: DataSource;
      let holder: Party;
      let waiting: Party;
      beforeEach(async () => {
        link = await linkTo(database.url);
        linked = await dataSource(link.url).initialize();
        [holder, waiting] = [new Party(ALONE), new Party(ALONE, 'dispatcher', linked)];
        await holder.renew();
        await waiting.renew();
      });
      afterEach(async () => {
        await linked.destroy();
        await link.cut();
      });

      /** Renews while the database stands still for more than two seconds, so that the lease expires. */
      async function renewLate(): Promise<void> {
        const from = performance.now();
        const resume = link.hold();
        const renewed = waiting.renew();
        await eventually(() => expect(performance.now() - from).toBeGreaterThan(2_500));
        await expire();
        resume();
        await renewed;
      }

      /** Expects that the holder can renew the expired lease, and that it is granted if it expires again. */
      async function expectToWaitForHolder(): Promise<void> {
        await waiting.renew();
        expect(waiting.held).toEqual([]);
        await holder.renew();
        expect([...holder.epochs]).toEqual([['all', 1]]);
        await eventually(async () => {
          await expire();
          await waiting.renew();
          expect([...waiting.epochs]).toEqual([['all', 2]]);
        });
      }

      it('does not grant it just after the database was away, because its holder could not renew it', async () => {
        await link.cut();
        await expect(waiting.renew()).rejects.toThrow();
        await link.restore();
        await expire();
        await expectToWaitForHolder();
      });

      it('does not grant it just after the database stood still, because its holder is about to renew it', async () => {
        await renewLate();
        expect(waiting.held).toEqual([]);
        await expectToWaitForHolder();
      });

      it('grants it nevertheless if the database stands still again and again', async () => {
        for (let round = 0; round < 3; round += 1) await renewLate();
        expect([...waiting.epochs]).toEqual([['all', 2]]);
      });
    });

    it('grants the lease for at most 5 s, so that another process takes over soon after a crash', async () => {
      const holder = new Party(ALONE);
      // Once for the grant, once for the renewal.
      for (const servedUntil of [0, 1_000]) {
        await holder.renew(servedUntil);
        expect(holder.held).toEqual(['all']);
        const [row] = await source.query<{ seconds: number }[]>(
          'SELECT extract(epoch FROM expires_at - now())::float8 AS seconds FROM leases',
        );
        expect(row!.seconds).toBeLessThanOrEqual(5);
      }
    });

    it('takes the lease at once with the embedded database, whose earlier user must be dead', async () => {
      await new Party(ALONE).renew();
      const embedded = new Party(readConfig({}).withEmbedded(database.url));
      await embedded.renew();
      expect([...embedded.epochs]).toEqual([['all', 2]]);
    });

    it('grants the lease to one of many processes that request it at once', async () => {
      const parties = Array.from({ length: 10 }, () => new Party(ALONE));
      await Promise.all(parties.map((party) => party.renew()));
      expect(parties.flatMap(({ held }) => held)).toEqual(['all']);
    });
  });

  describe('if processes share the work', () => {
    const sizes = (...parties: Party[]): number[] => parties.map(({ held }) => held.length);
    const all = Array.from({ length: SHARDS }, (_, shard) => shard);
    const sorted = (...parties: Party[]): Shard[] =>
      parties.flatMap(({ held }) => held).sort((a, b) => Number(a) - Number(b));

    it('divides the shards evenly as processes come and go, and each has one holder', async () => {
      const [first, second, third] = [new Party(), new Party(), new Party()];
      await first.renew();
      expect(sorted(first)).toEqual(all);

      await second.renew();
      expect(second.held).toEqual([]);
      for (const party of [first, second]) await party.renew();
      expect(sizes(first, second)).toEqual([8, 8]);
      expect(sorted(first, second)).toEqual(all);

      await third.renew();
      for (const party of [first, second, third]) await party.renew();
      expect(sizes(first, second, third)).toEqual([6, 5, 5]);
      expect(sorted(first, second, third)).toEqual(all);

      await first.release();
      for (const party of [second, third]) await party.renew();
      expect(sizes(second, third)).toEqual([8, 8]);
      expect(sorted(second, third)).toEqual(all);
    });

    it('gives the shards of a dead process to the others once its leases have expired', async () => {
      const [dead, other] = [new Party(), new Party()];
      for (const party of [dead, other, dead, other]) await party.renew();
      await source.query(`UPDATE leases SET expires_at = now() - interval '1 second' WHERE holder <> $1`, [
        await holderOf(other.held[0]!),
      ]);
      await source.query(`UPDATE processes SET seen_at = now() - interval '5 seconds' WHERE id <> $1`, [
        await holderOf(other.held[0]!),
      ]);
      await other.renew();
      expect(sorted(other)).toEqual(all);
      // Half of them were given to it, and half taken over.
      expect(new Set(other.epochs.values())).toEqual(new Set([2]));
    });

    describe('and the queue does not respond', () => {
      let parties: Party[];
      const [first, second] = [0, 1];
      const held = (): number[] => sizes(...parties);
      const renew = async (...indices: number[]): Promise<void> => {
        for (const index of indices) await parties[index]!.renew();
      };
      const respondsTo = (...indices: number[]): void => {
        parties.forEach(({ queue }, index) => (queue.isResponding = indices.includes(index)));
      };
      /** Makes what has been reported about the queue older. */
      const age = (seconds: number): Promise<unknown> =>
        source.query(`UPDATE processes SET queue_changed_at = queue_changed_at - $1 * interval '1 second'`, [seconds]);
      const epochs = (): Promise<unknown> => source.query('SELECT name, holder, epoch FROM leases ORDER BY name');

      beforeEach(async () => {
        parties = [new Party(), new Party()];
        await renew(first, second, first, second);
        await age(60);
        expect(held()).toEqual([8, 8]);
      });

      it('to one process, the others get its shards after a few seconds, until it has responded for ten', async () => {
        respondsTo(second);
        await renew(first, second);
        expect(held()).toEqual([8, 8]);
        await age(4);
        await renew(first, second);
        expect(held()).toEqual([0, 16]);
        expect(parties.map(({ isShutOut }) => isShutOut)).toEqual([true, false]);
        respondsTo(first, second);
        await renew(first, second, first);
        expect(held()).toEqual([0, 16]);
        jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_000);
        await renew(first, second, first);
        expect(held()).toEqual([8, 8]);
        expect(parties.map(({ isShutOut }) => isShutOut)).toEqual([false, false]);
      });

      it('to any process, each keeps its shards, also if one can use it again before the others', async () => {
        const before = await epochs();
        respondsTo();
        await renew(first, second);
        await age(60);
        await renew(first, second);
        respondsTo(second);
        await renew(second, first);
        await age(4);
        await renew(second, first);
        respondsTo(first, second);
        await renew(second, first);
        expect(await epochs()).toEqual(before);
        expect(held()).toEqual([8, 8]);
      });

      it('to any process, those that live share the work of one that died', async () => {
        respondsTo();
        await renew(first, second);
        await age(60);
        await parties[first]!.release();
        await renew(second);
        expect(held()).toEqual([0, 16]);
      });

      it('to a new process, that gets no share, unless it responds to no other either', async () => {
        parties.push(new Party());
        const third = 2;
        respondsTo(first, second);
        await renew(third, first, second, third);
        expect(held()).toEqual([8, 8, 0]);
        respondsTo();
        await renew(first, second, third);
        await age(60);
        await renew(first, second, third, first, second, third);
        expect(held().sort()).toEqual([5, 5, 6]);
      });

      it('is not known of processes of an earlier version, which keep their shares', async () => {
        respondsTo(second);
        await renew(first, second);
        await source.query('UPDATE processes SET queue_responds = NULL, queue_changed_at = NULL');
        await renew(second);
        expect(held()).toEqual([8, 8]);
      });
    });

    it('does not count as served what was only renewed while the queue did not respond', async () => {
      const [first, second] = [new Party(), new Party()];
      await first.renew();
      await first.renew(9_000);
      await first.lease.release('dispatcher', first.held, 5_000, true);
      await second.renew();
      expect(new Set(second.servedUntil)).toEqual(new Set([5_000]));
    });

    it('does not take a shard while a process works on all monitors, nor the reverse', async () => {
      const [alone, sharing] = [new Party(ALONE), new Party()];
      await alone.renew(0);
      await sharing.renew();
      expect(sharing.held).toEqual([]);
      await alone.release(7_000);
      await sharing.renew();
      expect(sorted(sharing)).toEqual(all);
      // It continues where the other one stopped.
      expect(new Set(sharing.servedUntil)).toEqual(new Set([7_000]));

      await alone.renew();
      expect(alone.held).toEqual([]);
      await sharing.release(9_000);
      await alone.renew();
      expect(alone.held).toEqual(['all']);
      expect(alone.servedUntil).toEqual([9_000]);
    });

    it('does not count as served what a new holder has not served yet', async () => {
      const [first, second] = [new Party(), new Party()];
      await first.renew(0);
      await first.renew(5_000);
      await first.release(5_000);
      await second.renew(8_000);
      // As after a failed start under the new leases.
      second.epochs.clear();
      await second.renew(8_000);
      expect(new Set(second.servedUntil)).toEqual(new Set([5_000]));
    });

    it('has separate leases for dispatching and recording', async () => {
      const [dispatcher, recorder] = [new Party(SHARED, 'dispatcher'), new Party(SHARED, 'recorder')];
      for (const party of [dispatcher, recorder, dispatcher, recorder]) await party.renew();
      expect(sizes(dispatcher, recorder)).toEqual([8, 8]);
    });

    it('names in a transaction the shards that another process has taken', async () => {
      const [suspended, other] = [new Party(), new Party()];
      await suspended.renew();
      await expire();
      await source.query(`UPDATE processes SET seen_at = now() - interval '5 seconds'`);
      await other.renew();
      const transactions = new Transactions(source);
      await transactions.run(async (tx) => {
        expect(await suspended.lease.lostIn(tx, 'dispatcher', [1, 2])).toEqual([1, 2]);
        expect(await other.lease.lostIn(tx, 'dispatcher', [1, 2])).toEqual([]);
      });
    });
  });
});

async function holderOf(shard: Shard): Promise<string> {
  const [row] = await source.query<{ holder: string }[]>('SELECT holder FROM leases WHERE name = $1', [
    `dispatcher-${shard}`,
  ]);
  return row!.holder;
}
