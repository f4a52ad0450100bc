import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { Crew, WAIT_MS } from './support/crew.js';
import { eventually } from './support/eventually.js';
import { describeWithRedis } from './support/redis.js';
import { REDIS_URL } from './support/redis-space.js';
import { type Relay, startRelay } from './support/relay.js';

const MONITORS = 40;

let crew: Crew;
/** In front of Redis, one for each of two processes that dispatch and record. */
let relays: Relay[];
beforeEach(async () => {
  crew = await Crew.open();
  relays = await Promise.all(
    Array.from({ length: 2 }, () => {
      const { hostname, port } = new URL(REDIS_URL!);
      return startRelay(() => connect(Number(port) || 6_379, hostname));
    }),
  );
});
afterEach(async () => {
  await crew.close();
  await Promise.all(relays.map((relay) => relay.cut()));
});

function urlOf({ port }: Relay): string {
  const url = new URL(REDIS_URL!);
  [url.hostname, url.port] = ['127.0.0.1', String(port)];
  return url.href;
}

/** Starts the processes, and waits until those with shards have all of theirs and have used Redis for some time. */
async function startAll(): Promise<void> {
  const api = await crew.start('api,notifier');
  await crew.start('worker');
  for (const relay of relays) await crew.start('dispatcher,recorder', { REDIS_URL: urlOf(relay) });
  await crew.createMonitors(api, MONITORS);
  await crew.untilChecked();
  await untilReported('queue_responds', 12, 2);
  await untilHeldBy(2);
}

/** Waits until this many processes have reported the same about Redis for some time. */
async function untilReported(condition: string, seconds: number, count: number): Promise<void> {
  await eventually(async () => {
    const { rows } = await crew.client.query(
      `SELECT FROM processes WHERE ${condition} AND queue_changed_at < now() - $1 * interval '1 second'
         AND seen_at > now() - interval '4 seconds'`,
      [seconds],
    );
    expect(rows).toHaveLength(count);
  }, WAIT_MS);
}

async function untilHeldBy(count: number): Promise<void> {
  await eventually(async () => {
    for (const kind of ['dispatcher', 'recorder']) {
      expect(await crew.shardsHeld(kind)).toEqual(Array(count).fill(16 / count));
    }
  }, WAIT_MS);
}

const leases = async (): Promise<unknown> =>
  (await crew.client.query(`SELECT name, holder, epoch FROM leases ORDER BY name`)).rows;

const absences = async (): Promise<{ starts_at: Date; ends_at: Date }[]> =>
  (await crew.client.query<{ starts_at: Date; ends_at: Date }>(`SELECT * FROM spans WHERE kind = 'absence'`)).rows;

describeWithRedis('if Redis is away', () => {
  it('for one of the processes, another one serves its shards until it is back', async () => {
    await startAll();
    const before = await absences();
    await relays[0]!.cut();
    await untilHeldBy(1);
    await crew.untilChecked();
    expect(await crew.checksInAbsences()).toBe(0);
    // The time in which nobody made the checks of these shards.
    expect(await absences()).toHaveLength(before.length + 8);
    await relays[0]!.restore();
    await untilHeldBy(2);
    await crew.untilChecked();
    expect(await crew.checksSince(0)).toMatchObject({ down: 0, twice: 0 });
  }, 240_000);

  it('for all of them, each keeps its shards, continues once it is back, and records no absence', async () => {
    await startAll();
    const before = { leases: await leases(), absences: await absences() };
    await Promise.all(relays.map((relay) => relay.cut()));
    await untilReported('NOT queue_responds', 6, 2);
    await Promise.all(relays.map((relay) => relay.restore()));
    await crew.untilChecked();
    expect({ leases: await leases(), absences: await absences() }).toEqual(before);
    expect(await crew.checksSince(0)).toMatchObject({ down: 0, twice: 0 });
  }, 240_000);

  it('for a new process that it refuses, the others keep their shards', async () => {
    await startAll();
    const before = await leases();
    const url = new URL(REDIS_URL!);
    [url.username, url.password] = ['nobody', 'wrong'];
    const refused = await crew.start('dispatcher,recorder', { REDIS_URL: url.href });
    expect(await refused.ended()).toBe(78);
    expect(await leases()).toEqual(before);
  }, 240_000);
});
