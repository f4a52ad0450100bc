import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { eventually } from '../test/support/eventually.js';
import { cpuUs, residentMib } from './cpu.js';
import { openHeartbeats } from './heartbeat-scene.js';
import { type Scene } from './scene.js';
import { keep, printTable, rounded } from './table.js';

const PERIOD_MS = 60_000;
const GRACE_S = 10;
const STEP_MS = 10;
const CONNECTIONS = 1_000;

/**
 * Measures how soon missing reports are found while all other jobs report once a minute: the time from the deadline to
 * the incident, the processor time and the memory of the service.
 */
export async function benchDeadlines(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      monitors: { type: 'string', default: '100000' },
      missing: { type: 'string', default: '1000' },
    },
  });
  const [monitors, missing] = [Number(values.monitors), Number(values.missing)];
  const settings = { schedule: { everySeconds: PERIOD_MS / 1_000 }, graceSeconds: GRACE_S };
  const { scene, paths } = await openHeartbeats(monitors, settings);
  const { origin, pid } = scene.service!;
  const jobs = new Jobs(origin, paths);
  const running = jobs.run();
  await delay(PERIOD_MS);
  // From now on, some jobs report no more.
  const from = Date.now();
  jobs.silence(missing);
  const [answered, before] = [jobs.answered, await cpus(scene, pid)];
  await delay(PERIOD_MS);
  const after = await cpus(scene, pid);
  const seconds = (Date.now() - from) / 1_000;
  const figures = {
    'pings/s': (jobs.answered - answered) / seconds,
    'service %': (after.service - before.service) / seconds / 10_000,
    'database %': (after.database - before.database) / seconds / 10_000,
    MiB: (await residentMib(pid)).now,
  };
  const delays = await eventually(async () => {
    const found = await delaysOf(scene);
    if (found.length < missing) throw new Error(`${found.length} of ${missing} incidents`);
    return found;
  }, PERIOD_MS);
  jobs.stop();
  await running;
  const at = (share: number): number => delays[Math.min(delays.length - 1, Math.floor(share * delays.length))]!;
  const row = {
    ...figures,
    incidents: delays.length,
    ...{ 'p50 s': at(0.5), 'p99 s': at(0.99), 'max s': at(1) },
    'slowest ping ms': jobs.slowestMs,
    refused: jobs.refused,
  };
  const shown = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, rounded(value)]));
  printTable(new Map([[`${monitors} monitors`, shown]]), Object.keys(row));
  if (delays.length > missing) throw new Error(`${delays.length - missing} incidents of jobs that reported in time`);
  await keep('deadlines', { options: values, row, delays });
}

/** Jobs that report once a minute each, evenly spread. */
class Jobs {
  answered = 0;
  refused = 0;
  slowestMs = 0;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  private readonly silent = new Set<number>();
  private isOver = false;

  constructor(
    private readonly origin: string,
    private readonly paths: readonly string[],
  ) {}

  async run(): Promise<void> {
    const since = performance.now();
    for (let sent = 0; !this.isOver; await delay(STEP_MS)) {
      const due = Math.floor(((performance.now() - since) / PERIOD_MS) * this.paths.length);
      for (; sent < due; sent += 1) {
        const index = sent % this.paths.length;
        if (!this.silent.has(index)) this.report(this.paths[index]!);
      }
    }
    this.agent.destroy();
  }

  /** Ends the reports of this many jobs, evenly spread. */
  silence(count: number): void {
    for (let one = 0; one < count; one += 1) this.silent.add(Math.floor((one * this.paths.length) / count));
  }

  stop(): void {
    this.isOver = true;
  }

  private report(path: string): void {
    const from = performance.now();
    const call = request(this.origin + path, { agent: this.agent }, (answer) => {
      answer.resume().once('end', () => {
        this.slowestMs = Math.max(this.slowestMs, performance.now() - from);
        if (answer.statusCode === 200) this.answered += 1;
        else this.refused += 1;
      });
    });
    call.once('error', () => (this.refused += this.isOver ? 0 : 1));
    call.end();
  }
}

async function cpus(scene: Scene, pid: number): Promise<{ service: number; database: number }> {
  return { service: await cpuUs(pid), database: await cpuUs(scene.databasePid) };
}

/** Returns the seconds from each missed deadline to its incident, the shortest first. */
async function delaysOf({ client }: Scene): Promise<number[]> {
  const { rows } = await client.query<{ seconds: number }>(
    `SELECT extract(epoch FROM e.recorded_at - i.started_at)::float8 - $1 AS seconds
     FROM incidents i JOIN events e ON e.resource_id = i.id::text AND e.type = 'incident.opened' ORDER BY 1`,
    [GRACE_S],
  );
  return rows.map(({ seconds }) => seconds);
}
