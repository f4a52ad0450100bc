import { Client } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { EmbeddedPostgres } from '../src/database/embedded/embedded-postgres.js';
import { eventually } from '../test/support/eventually.js';
import { ServiceProcess } from '../test/support/service.js';
import { parentOf } from './cpu.js';
import { opened, openFolder } from './opened.js';

const CHUNK = 5_000;

/** Monitors that differ in their definition alone. */
export interface Kind {
  /** As a caller would create it, without name and interval. */
  body: Record<string, unknown>;
  count: number;
}

/** A service on a database of its own, embedded and durable, filled with monitors. All of it ends with the bench. */
export class Scene {
  service: ServiceProcess | null = null;

  private constructor(
    readonly dataDir: string,
    readonly client: Client,
    readonly databasePid: number,
    private readonly settings: Record<string, string>,
  ) {}

  static async open(settings: Record<string, string> = {}): Promise<Scene> {
    const dataDir = await openFolder();
    const database = await opened(
      () => EmbeddedPostgres.start({ dataDir }),
      (one) => one.stop(),
    );
    const client = new Client({ connectionString: database.url });
    await opened(
      () => client.connect(),
      () => client.end(),
    );
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return new Scene(dataDir, client, await parentOf(rows[0]!.pid), {
      ...{ DATABASE_URL: database.url, SECRET_KEY: 'b'.repeat(40), METRICS_TOKEN: 'bench' },
      ...{ ALLOW_PRIVATE_TARGETS: 'true', MIN_INTERVAL_SECONDS: '1', ...settings },
    });
  }

  /** Starts the service and waits for its ready line. */
  async start(): Promise<ServiceProcess> {
    const start = () => ServiceProcess.start(this.dataDir, this.settings);
    this.service = await opened(start, (one) => one.end('SIGTERM'));
    return this.service;
  }

  /** Makes monitors, all from one that the API made. The service must run, and is stopped. Gives the ids. */
  async fill(kinds: readonly Kind[], intervalSeconds: number): Promise<string[]> {
    const made: string[] = [];
    for (const { body, count } of kinds) {
      const answer = await this.service!.call<{ id: string }>('POST', '/v1/monitors', {
        ...{ name: 'Template', intervalSeconds, timeoutMs: Math.min(10_000, intervalSeconds * 1_000) },
        ...body,
      });
      if (answer.status !== 201) throw new Error(`the template was refused: ${JSON.stringify(answer.body)}`);
      for (let from = 0; from < count; from += CHUNK) {
        const ids = Array.from({ length: Math.min(CHUNK, count - from) }, () => uuidv7());
        await this.copy(answer.body.id, ids);
        made.push(...ids);
      }
      await this.service!.call('DELETE', `/v1/monitors/${answer.body.id}`);
    }
    await this.stop();
    await this.client.query('VACUUM ANALYZE monitors');
    await this.client.query('VACUUM ANALYZE monitor_states');
    return made;
  }

  /** Waits until all monitors are on schedule; gives the milliseconds from now on. The service must run. */
  async untilScheduled(monitors: number): Promise<number> {
    const since = Date.now();
    await eventually(async () => {
      const headers = { authorization: 'Bearer bench' };
      const text = await (await fetch(`${this.service!.origin}/metrics`, { headers })).text();
      const scheduled = Number(/^daywatch_monitors_scheduled (\d+)/m.exec(text)?.[1]);
      if (scheduled !== monitors) throw new Error(`${scheduled} of ${monitors} monitors are on schedule`);
    }, 120_000);
    return Date.now() - since;
  }

  async stop(): Promise<void> {
    await this.service?.end('SIGTERM');
    this.service = null;
  }

  private async copy(templateId: string, ids: readonly string[]): Promise<void> {
    await this.client.query(
      // Each has a definition of its own, as monitors have: what they share would be kept once.
      `INSERT INTO monitors SELECT (jsonb_populate_record(m, jsonb_build_object('id', t.id, 'name', 'Bench ' || t.id,
         'definition', jsonb_set(m.definition, '{url}', to_jsonb((m.definition->>'url') || t.id))))).*
       FROM monitors m, unnest($2::uuid[]) AS t (id) WHERE m.id = $1`,
      [templateId, ids],
    );
    await this.client.query(
      `INSERT INTO monitor_states
       SELECT (jsonb_populate_record(s, jsonb_build_object('monitor_id', t.id, 'status', 'pending', 'verifying', null))).*
       FROM monitor_states s, unnest($2::uuid[]) AS t (id) WHERE s.monitor_id = $1`,
      [templateId, ids],
    );
    await this.client.query(
      `INSERT INTO monitor_schedules SELECT (jsonb_populate_record(s, jsonb_build_object('monitor_id', t.id))).*
       FROM monitor_schedules s, unnest($2::uuid[]) AS t (id) WHERE s.monitor_id = $1`,
      [templateId, ids],
    );
  }
}
