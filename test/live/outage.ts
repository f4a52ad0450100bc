import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type CheckKey } from '../../src/modules/monitors/schedule/check-plan.types.js';
import { decodeLines } from '../../src/modules/checker/spool-lines.js';
import { eventually } from '../support/eventually.js';
import { OwnCluster } from '../support/own-cluster.js';
import { ServiceProcess } from '../support/service.js';

/** Long enough for a busy machine, on which checks would otherwise time out. */
const INTERVAL_SECONDS = 2;
const CREATE_AT_ONCE = 8;
const SAMPLE_MS = 250;
/** Timeout in addition to the time for which the database was unavailable. The report contains the actual time. */
const REPLAYED_WITHIN_MS = 300_000;

/** The effect of an unavailable database. Times in milliseconds. */
export interface OutageReport {
  /** Requests that the targets received, and rows of checks. */
  requests: number;
  rows: number;
  /** Requests without a row, and rows of passed checks without a request: a failed check may not have sent one. */
  lost: number;
  surplus: number;
  /** Days of monitors whose roll-up differs from the number of rows. */
  miscounted: number;
  /** Failed checks. The targets are always up, so that these are timeouts on a busy machine. */
  failedChecks: number;
  /** Transitions and incidents without a failed check. */
  falseDown: number;
  falseIncidents: number;
  gaps: number;
  absences: number;
  /** Responses of the API while the database was unavailable, by status or error message, and the slowest. */
  answers: Record<string, number>;
  slowestAnswerMs: number;
  /** Times from the return of the database: the first one that accepts connections. */
  servedAgainMs: number;
  recordedAgainMs: number;
  replayedMs: number;
  spooled: number;
  spoolMiB: number;
  residentMiB: { before: number; peak: number };
}

/** The service with a separate database, checking `monitors` targets that are up every 2 seconds. */
export class OutageScene {
  private service!: ServiceProcess;
  /** The times of the requests to each target (epoch milliseconds), oldest first. */
  private readonly requests: number[][] = [];
  private readonly ids: string[] = [];
  /**
   * The time from which each monitor is counted: between two of its checks, after those at its creation, which may run
   * twice.
   */
  private countedFrom: number[] = [];
  /** Checks that had reached their target when the service stopped, and were too slow to be recorded. */
  private unfinished = 0;
  private target!: Server;

  private constructor(
    readonly cluster: OwnCluster,
    readonly dataDir: string,
    private readonly settings: Record<string, string>,
  ) {}

  static async open(monitors: number, settings: Record<string, string> = {}): Promise<OutageScene> {
    const cluster = await OwnCluster.make();
    const dataDir = await mkdtemp(join(tmpdir(), 'daywatch-outage-'));
    const scene = new OutageScene(cluster, dataDir, {
      DATABASE_URL: cluster.url,
      ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
      MIN_INTERVAL_SECONDS: '1',
      LOG_LEVEL: 'warn',
      ...settings,
    });
    try {
      await scene.begin(monitors);
      return scene;
    } catch (error) {
      await scene.close();
      throw error;
    }
  }

  /** The ids of the monitors. */
  get monitorIds(): readonly string[] {
    return this.ids;
  }

  get running(): ServiceProcess {
    return this.service;
  }

  /** Restarts the service after it has ended. */
  async restart(): Promise<void> {
    this.service = await ServiceProcess.start(this.dataDir, this.settings);
  }

  /** Returns the results in the spool, as a start would read them. */
  async spooled(): Promise<CheckKey[]> {
    const segments = await this.segments();
    const texts = await Promise.all(segments.map((path) => readFile(path).catch(() => Buffer.of())));
    return texts.flatMap((text) => decodeLines(text));
  }

  async spoolBytes(): Promise<number> {
    const sizes = (await this.segments()).map((path) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    );
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  }

  async untilReplayed(withinMs: number): Promise<void> {
    await eventually(async () => {
      const left = (await this.segments()).length;
      if (left > 0) throw new Error(`${left} spool segments are left`);
    }, withinMs);
  }

  /**
   * Makes the database unavailable for `awayMs`, with `gone` and `back`. Then stops the service and returns a report.
   */
  async absence(
    awayMs: number,
    by: { gone: () => Promise<void>; back: () => Promise<void> },
    say: (line: string) => void = () => undefined,
  ): Promise<OutageReport> {
    const residentBefore = await this.residentMiB();
    let [peak, spoolBytes, slowestAnswerMs] = [residentBefore, 0, 0];
    const answers: Record<string, number> = {};
    await by.gone();
    const goneAt = performance.now();
    for (let told = goneAt; performance.now() - goneAt < awayMs; await delay(SAMPLE_MS)) {
      const askedAt = performance.now();
      const answer = await this.service.call('GET', '/v1/monitors').then(
        ({ status }) => String(status),
        (error: Error) => (error.cause instanceof Error ? error.cause : error).message,
      );
      answers[answer] = (answers[answer] ?? 0) + 1;
      slowestAnswerMs = Math.max(slowestAnswerMs, performance.now() - askedAt);
      peak = Math.max(peak, await this.residentMiB());
      spoolBytes = Math.max(spoolBytes, await this.spoolBytes());
      if (performance.now() - told > 30_000) {
        told = performance.now();
        say(
          `unavailable for ${Math.round((told - goneAt) / 1_000)} s: spool ${mib(spoolBytes)} MiB, ${mib(peak * 1_048_576)} MiB resident`,
        );
      }
    }
    const spooled = await this.spooled();
    const rowsBefore = new Date();
    await by.back();
    const backAt = performance.now();
    await eventually(async () => {
      const { status } = await this.service.call('GET', '/v1/monitors');
      if (status !== 200) throw new Error(`still ${status}`);
    }, 60_000);
    const servedAgainMs = performance.now() - backAt;
    const first = spooled[0]!;
    await eventually(async () => {
      const rows = await this.cluster.query(
        'SELECT 1 FROM checks WHERE monitor_id = $1 AND scheduled_at = $2 AND attempt = $3',
        [first.monitorId, new Date(first.scheduledAt), first.attempt],
      );
      if (rows.length === 0) throw new Error('the oldest result is not recorded yet');
    }, 60_000);
    const recordedAgainMs = performance.now() - backAt;
    await this.untilReplayed(REPLAYED_WITHIN_MS + awayMs);
    const replayedMs = performance.now() - backAt;
    peak = Math.max(peak, await this.residentMiB());
    say(
      `available: requests served after ${Math.round(servedAgainMs)} ms, all replayed after ${Math.round(replayedMs)} ms`,
    );
    // New results are recorded at once.
    await eventually(async () => {
      const rows = await this.cluster.query('SELECT 1 FROM checks WHERE checked_at > $1 LIMIT 1', [
        new Date(rowsBefore.getTime() + replayedMs),
      ]);
      if (rows.length === 0) throw new Error('no new result is recorded');
    });
    await this.end();
    return {
      ...(await this.count()),
      answers,
      slowestAnswerMs,
      servedAgainMs,
      recordedAgainMs,
      replayedMs,
      spooled: spooled.length,
      spoolMiB: mib(spoolBytes),
      residentMiB: { before: residentBefore, peak },
    };
  }

  /** Returns for how many seconds the last stop left all monitors unchecked. Must be called after a restart. */
  async unknownSecondsSince(since: Date): Promise<number> {
    const absence = await eventually(async () => {
      const rows = await this.cluster.query<{ seconds: number }>(
        `SELECT extract(epoch FROM ends_at - starts_at)::float8 AS seconds FROM spans
         WHERE kind = 'absence' AND ends_at > $1`,
        [since],
      );
      if (rows.length === 0) throw new Error('the service does not dispatch yet');
      return rows[0]!;
    }, 30_000);
    return absence.seconds;
  }

  /** Stops the service gracefully. */
  async end(): Promise<void> {
    const code = await this.service.end('SIGTERM');
    if (code !== 0) throw new Error(`the service ended with ${code}: ${this.service.log}`);
    const [, unfinished = '0'] =
      /checks that did not finish before shutdown and count as missed: (\d+)/.exec(this.service.log) ?? [];
    this.unfinished += Number(unfinished);
  }

  /** Compares the stored results with the requests to the targets. Must be called after the service has ended. */
  async count() {
    const stored = await this.cluster.query<{ id: string; rows: number; passed: number }>(
      `SELECT id, count(*)::int AS rows, count(*) FILTER (WHERE status = 'up')::int AS passed FROM unnest($1::uuid[], $2::timestamptz[]) AS t (id, since)
       JOIN checks c ON c.monitor_id = t.id AND c.checked_at > t.since GROUP BY 1`,
      [this.ids, this.countedFrom.map((time) => new Date(time))],
    );
    const rowsOf = new Map(stored.map((row) => [row.id, row]));
    let [requests, rows, lost, surplus] = [0, 0, 0, 0];
    for (const [index, id] of this.ids.entries()) {
      const seen = this.requests[index]!.filter((time) => time > this.countedFrom[index]!).length;
      const kept = rowsOf.get(id) ?? { rows: 0, passed: 0 };
      requests += seen;
      rows += kept.rows;
      lost += Math.max(0, seen - kept.rows);
      surplus += Math.max(0, kept.passed - seen);
    }
    const one = async (sql: string): Promise<number> => (await this.cluster.query<{ n: number }>(sql))[0]!.n;
    return {
      requests,
      rows,
      lost: Math.max(0, lost - this.unfinished),
      surplus,
      miscounted: await one(
        `SELECT count(*)::int AS n FROM
           (SELECT monitor_id, day, checks_total AS counted FROM daily_rollups) r
         FULL JOIN (SELECT monitor_id, (scheduled_at AT TIME ZONE 'UTC')::date AS day, count(*) AS rows
                    FROM checks WHERE attempt = 0 GROUP BY 1, 2) c USING (monitor_id, day)
         WHERE counted IS DISTINCT FROM rows`,
      ),
      failedChecks: await one(`SELECT count(*)::int AS n FROM checks WHERE status <> 'up'`),
      falseDown: await one(
        `SELECT count(*)::int AS n FROM transitions t WHERE to_status = 'down' AND NOT EXISTS
           (SELECT 1 FROM checks c WHERE c.monitor_id = t.monitor_id AND c.checked_at = t.at AND c.status = 'down')`,
      ),
      falseIncidents: await one(
        `SELECT count(*)::int AS n FROM incidents i WHERE NOT EXISTS
           (SELECT 1 FROM incident_monitors m JOIN checks c ON c.monitor_id = m.monitor_id
            WHERE m.incident_id = i.id AND c.checked_at = i.started_at AND c.status = 'down')`,
      ),
      gaps: await one(`SELECT count(*)::int AS n FROM spans WHERE kind = 'gap'`),
      absences: await one(`SELECT count(*)::int AS n FROM spans WHERE kind = 'absence'`),
    };
  }

  async close(): Promise<void> {
    await this.service?.end('SIGKILL');
    this.target?.closeAllConnections();
    this.target?.close();
    await this.cluster.remove();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async begin(monitors: number): Promise<void> {
    this.target = createServer(({ url = '' }, response) => {
      (this.requests[Number(url.slice(1))] ??= []).push(Date.now());
      response.end('ok');
    }).listen(0, '127.0.0.1');
    await once(this.target, 'listening');
    const origin = `http://127.0.0.1:${(this.target.address() as AddressInfo).port}`;
    this.service = await ServiceProcess.start(this.dataDir, this.settings);
    let next = 0;
    const create = async (): Promise<void> => {
      for (let index = next++; index < monitors; index = next++) {
        const definition = {
          name: `Target ${index}`,
          type: 'http',
          url: `${origin}/${index}`,
          intervalSeconds: INTERVAL_SECONDS,
          timeoutMs: INTERVAL_SECONDS * 1_000,
        };
        // On a busy machine the service occasionally responds with 503.
        this.ids[index] = await eventually(async () => {
          const { status, body } = await this.service.call<{ id: string }>('POST', '/v1/monitors', definition);
          if (status !== 201) throw new Error(`a monitor could not be created: ${JSON.stringify(body)}`);
          return body.id;
        }, 60_000);
      }
    };
    await Promise.all(Array.from({ length: CREATE_AT_ONCE }, create));
    await eventually(async () => {
      const [row] = await this.cluster.query<{ n: number }>(
        'SELECT count(DISTINCT monitor_id)::int AS n FROM checks WHERE attempt = 0',
      );
      if (row!.n < monitors) throw new Error(`only ${row!.n} monitors have been checked`);
    }, 60_000);
    this.countedFrom = this.requests.map((times) => times.at(-1)! + (INTERVAL_SECONDS * 1_000) / 2);
  }

  private async segments(): Promise<string[]> {
    const folder = join(this.dataDir, 'spool');
    const names = await readdir(folder).catch(() => []);
    return names
      .filter((name) => name.endsWith('.spool'))
      .sort()
      .map((name) => join(folder, name));
  }

  private async residentMiB(): Promise<number> {
    const status = await readFile(`/proc/${this.service.pid}/status`, 'utf8').catch(() => '');
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? NaN) / 1_024);
  }
}

function mib(bytes: number): number {
  return Math.round((bytes / 1_048_576) * 10) / 10;
}
