import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { cpuUs } from './cpu.js';
import { median } from './load.js';
import { opened } from './opened.js';
import { Scene } from './scene.js';
import { keep, printTable } from './table.js';

const WRITES = 1_000;
const MONITORS = 200;
const SECONDS = 20;
/** Until the checks have the results of what the target has become. */
const SETTLE_MS = 5_000;

/** CPU time in microseconds, by process. */
interface Cost {
  service: number;
  database: number;
}

/** A target whose every second response to a path is an error while it is flapping. */
class FlappingTarget {
  isFlapping = false;
  private readonly requests = new Map<string, number>();
  private readonly server: Server = createServer(({ url = '' }, response) => {
    const count = (this.requests.get(url) ?? 0) + 1;
    this.requests.set(url, count);
    response.writeHead(this.isFlapping && count % 2 === 0 ? 500 : 200);
    response.end('ok');
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/**
 * Measures the CPU time of a change, with its event and what follows from it: of a write through the API, and of a change
 * of a monitor's state, as the difference between checks of a flapping and of a stable target.
 */
export async function benchChanges(rounds: number): Promise<void> {
  const target = new FlappingTarget();
  const origin = await opened(
    () => target.listen(),
    () => target.close(),
  );
  const scene = await Scene.open({ RATE_LIMIT_PER_MINUTE: '0' });
  await scene.start();
  const body = { type: 'http', url: `${origin}/`, failureThreshold: 1, recoveryThreshold: 1 };
  const made = await scene.service!.call<{ id: string }>('POST', '/v1/monitors', {
    ...body,
    name: 'Shop',
    paused: true,
  });
  const path = `/v1/monitors/${made.body.id}`;
  await write(scene, path); // The first round is a warm-up.
  const writes: Cost[] = [];
  for (let round = 0; round < rounds; round += 1) {
    writes.push(each(await costOf(scene, () => write(scene, path)), WRITES));
  }
  await scene.fill([{ body, count: MONITORS }], 1);
  await scene.start();
  await scene.untilScheduled(MONITORS);
  const transitions: Cost[] = [];
  for (let round = 0; round < rounds; round += 1) transitions.push(await costOfTransition(scene, target));
  const rows = new Map([
    ['a write', mediansOf(writes)],
    ['a transition', mediansOf(transitions)],
  ]);
  printTable(rows, ['service µs', 'database µs']);
  await keep('changes', { writes, transitions });
}

/** Changes a monitor many times, one change after the other. */
async function write({ service }: Scene, path: string): Promise<void> {
  for (let index = 0; index < WRITES; index += 1) {
    const { status } = await service!.call('PATCH', path, { name: `Shop ${index}` });
    if (status !== 200) throw new Error(`a write was answered with ${status}`);
  }
}

async function costOfTransition(scene: Scene, target: FlappingTarget): Promise<Cost> {
  const during = async (isFlapping: boolean): Promise<{ cost: Cost; count: number }> => {
    target.isFlapping = isFlapping;
    await delay(SETTLE_MS);
    const before = await transitionsOf(scene);
    const cost = await costOf(scene, () => delay(SECONDS * 1_000));
    return { cost, count: (await transitionsOf(scene)) - before };
  };
  const [stable, flapping] = [await during(false), await during(true)];
  const { service, database } = flapping.cost;
  const more = { service: service - stable.cost.service, database: database - stable.cost.database };
  return each(more, flapping.count - stable.count);
}

async function transitionsOf({ client }: Scene): Promise<number> {
  const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM transitions');
  return rows[0]!.count;
}

async function costOf(scene: Scene, work: () => Promise<unknown>): Promise<Cost> {
  const now = async (): Promise<Cost> => {
    return { service: await cpuUs(scene.service!.pid), database: await cpuUs(scene.databasePid) };
  };
  const before = await now();
  await work();
  const after = await now();
  return { service: after.service - before.service, database: after.database - before.database };
}

function each({ service, database }: Cost, count: number): Cost {
  return { service: service / count, database: database / count };
}

function mediansOf(costs: readonly Cost[]): Record<string, number> {
  const of = (name: keyof Cost): number => Math.round(median(costs.map((cost) => cost[name])));
  return { service: of('service'), database: of('database') };
}
