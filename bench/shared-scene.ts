import { locationKey } from '../src/modules/checks/job-secrets.service.js';
import { ServiceProcess } from '../test/support/service.js';
import { cpuUs } from './cpu.js';
import { opened } from './opened.js';
import { type BenchRedis } from './redis.js';
import { type Scene } from './scene.js';

/** Processes that share the work on the database of a scene, by a name for each kind of process. */
export class SharedScene {
  private readonly processes = new Map<string, ServiceProcess[]>();

  constructor(
    private readonly scene: Scene,
    private readonly redis: BenchRedis,
  ) {}

  /** Starts `count` processes with these roles. A worker gets neither the database nor the secret key. */
  async start(name: string, roles: string, count: number): Promise<ServiceProcess[]> {
    const { DATABASE_URL, SECRET_KEY, ...others } = this.scene.settings;
    const own: Record<string, string> =
      roles === 'worker'
        ? { LOCATION_KEY: locationKey(SECRET_KEY!, 'default') }
        : { DATABASE_URL: DATABASE_URL!, SECRET_KEY: SECRET_KEY! };
    const settings = { ...others, ...own, ...this.redis.settings, ROLES: roles };
    const started: ServiceProcess[] = [];
    for (let number = 0; number < count; number += 1) {
      const start = () => ServiceProcess.start(this.scene.dataDir, settings);
      started.push(await opened(start, (one) => one.end('SIGTERM')));
    }
    this.processes.set(name, started);
    return started;
  }

  async stop(name: string): Promise<void> {
    await Promise.all(this.processes.get(name)!.map((one) => one.end('SIGTERM')));
    this.processes.delete(name);
  }

  /** Returns the processor time in microseconds of each kind of process, of the database and of Redis so far. */
  async cpu(): Promise<Record<string, number>> {
    const used: Record<string, number> = {};
    for (const [name, some] of this.processes) {
      used[name] = (await Promise.all(some.map(({ pid }) => cpuUs(pid)))).reduce((sum, us) => sum + us, 0);
    }
    return { ...used, database: await cpuUs(this.scene.databasePid), redis: await this.redis.cpuUs() };
  }
}

/** What was recorded of the slots in a time. */
export interface RecordedSlots {
  rows: number;
  failed: number;
  /** Milliseconds from slot to probe. */
  p50: number;
  p99: number;
}

export async function recordedSlots({ client }: Scene, from: number, to: number): Promise<RecordedSlots> {
  const { rows } = await client.query<RecordedSlots>(
    `SELECT count(*)::int AS rows, count(*) FILTER (WHERE status <> 'up')::int AS failed,
       coalesce(percentile_disc(0.5) WITHIN GROUP (ORDER BY lag), 0) AS p50,
       coalesce(percentile_disc(0.99) WITHIN GROUP (ORDER BY lag), 0) AS p99
     FROM (SELECT status, extract(epoch FROM checked_at - scheduled_at)::float8 * 1000 AS lag FROM checks
           WHERE scheduled_at >= $1 AND scheduled_at < $2 AND attempt = 0) AS c`,
    [new Date(from), new Date(to)],
  );
  return rows[0]!;
}

/** Returns the differences of figures with the same names, divided by a number. */
export function perUnit(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
  units: number,
): Record<string, number> {
  return Object.fromEntries(Object.keys(after).map((name) => [name, (after[name]! - (before[name] ?? 0)) / units]));
}
