import { Client } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { EmbeddedPostgres } from '../src/database/embedded/embedded-postgres.js';
import { eventually } from '../test/support/eventually.js';
import { ServiceProcess } from '../test/support/service.js';
import { parentOf } from './cpu.js';
import { opened, openFolder } from './opened.js';

const CHUNK = 5_000;

/** One kind of monitor. Kinds differ only in their definition. */
export interface Kind {
  /** The body of a create request, without name and interval. */
  body: Record<string, unknown>;
  count: number;
}

/** A service with its own durable embedded database, filled with monitors. Everything ends with the benchmark. */
export class Scene {
  service: ServiceProcess | null = null;

  private constructor(
    readonly dataDir: string,
    readonly client: Client,
    readonly databasePid: number,
    /** The settings of the service. */
    readonly settings: Readonly<Record<string, string>>,
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
      DATABASE_URL: database.url,
      SECRET_KEY: 'b'.repeat(40),
      METRICS_TOKEN: 'bench',
      ALLOW_PRIVATE_TARGETS: 'true',
      MIN_INTERVAL_SECONDS: '1',
      ...settings,
    });
  }

  /** Starts the service and waits for its ready line. */
  async start(): Promise<ServiceProcess> {
    const start = () => ServiceProcess.start(this.dataDir, this.settings);
    this.service = await opened(start, (one) => one.end('SIGTERM'));
    return this.service;
  }

  /**
   * Creates one monitor of each kind through the API, copies it in the database, and returns the ids of the copies. The
   * service must be running, and is stopped.
   */
  async fill(kinds: readonly Kind[], intervalSeconds: number): Promise<string[]> {
    const templates: { id: string; count: number }[] = [];
    for (const { body, count } of kinds) {
      const answer = await this.service!.call<{ id: string }>('POST', '/v1/monitors', {
        name: 'Template',
        intervalSeconds,
        timeoutMs: Math.min(10_000, intervalSeconds * 1_000),
        ...body,
      });
      if (answer.status !== 201) throw new Error(`the template was rejected: ${JSON.stringify(answer.body)}`);
      templates.push({ id: answer.body.id, count });
    }
    // Otherwise it would check the first copies while the others are made.
    await this.stop();
    const made: string[] = [];
    for (const { id, count } of templates) {
      for (let from = 0; from < count; from += CHUNK) {
        const ids = Array.from({ length: Math.min(CHUNK, count - from) }, () => uuidv7());
        await this.copy(id, ids);
        made.push(...ids);
      }
    }
    await this.client.query('DELETE FROM monitors WHERE id = ANY($1::uuid[])', [templates.map(({ id }) => id)]);
    await this.client.query('VACUUM ANALYZE monitors');
    await this.client.query('VACUUM ANALYZE monitor_states');
    return made;
  }

  /** Waits until all monitors are on schedule and returns the elapsed milliseconds. The service must be running. */
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
      // Each copy has its own definition, as real monitors do: a shared definition would be held in memory only once.
      `INSERT INTO monitors SELECT (jsonb_populate_record(m, jsonb_build_object('id', t.id, 'name', 'Bench ' || t.id,
         'definition', CASE WHEN m.definition ? 'url'
           THEN jsonb_set(m.definition, '{url}', to_jsonb((m.definition->>'url') || t.id)) ELSE m.definition END))).*
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

/** Moves monitors to a second team, called Small. The service must not be running. */
export async function giveAway({ client }: Scene, ids: readonly string[]): Promise<void> {
  // One statement: a monitor and its state name the same team.
  await client.query(
    `WITH team AS (INSERT INTO teams (id, name) VALUES (uuidv7(), 'Small') RETURNING id),
          moved AS (UPDATE monitors SET team_id = team.id FROM team WHERE monitors.id = ANY($1::uuid[]))
     UPDATE monitor_states SET team_id = team.id FROM team WHERE monitor_id = ANY($1::uuid[])`,
    [ids],
  );
}
