import { type OpenAPIObject } from '@nestjs/swagger';
import { Pool } from 'pg';
import { Backstage, type TestTeam } from './backstage.js';
import { Client } from './client.js';
import { createTestDatabase } from './database.js';
import { eventually } from './eventually.js';
import { callHost, type HostedService } from './host-calls.js';
import { type Contract } from './openapi.js';

export { type TestTeam } from './backstage.js';

/** Outside Jest, as in `npm run fuzz`, a script loads a host and validators of its own. */
const share = globalThis.workerShare ?? (await import('./worker-share.js')).workerShare;

/** A running service, reached over HTTP, with access to its database and, through `backstage`, to its providers. */
export interface TestApp {
  origin: string;
  /** The origin of its metrics; null unless they have a port of their own. */
  metricsOrigin: string | null;
  /** The document that the service serves at `/docs/openapi.json`. */
  document: OpenAPIObject;
  /** Validates exchanges against the document. */
  contract: Contract;
  /** A client with this key, or without one. Each exchange is validated against the document. */
  api(key?: string | null): Client;
  /** A client for routes that the OpenAPI document does not describe, such as the document itself. */
  undocumented(key?: string | null): Client;
  teams: { ours: TestTeam; theirs: TestTeam };
  backstage: Backstage;
  /** The URL by which the service reaches its database. */
  databaseUrl: string;
  /** Runs a query on its database and returns the rows. */
  query<Row>(sql: string, parameters?: unknown[]): Promise<Row[]>;
  /** Stops the service gracefully, as a signal does. Only for services that the file started itself. */
  stop(): Promise<void>;
  /** Returns a shared service, or ends one that the file started itself. */
  close(): Promise<void>;
}

/**
 * Borrows a service that other test files use before and after this one, with two new teams. Tests of a start, of
 * limits that count by address, of outages, and of anything that spans teams need `startApp` instead.
 */
export async function sharedApp(settings: Record<string, string> = {}): Promise<TestApp> {
  const host = await share.serviceHost();
  const service = await callHost<HostedService>(host, { kind: 'share', settings });
  return appAt(host, service, forgetTeams);
}

/**
 * Starts a service for this file alone, with a database of its own. `reach` may put a relay between the two: it returns
 * the URL by which the service reaches its database.
 */
export async function startApp(
  settings: Record<string, string> = {},
  reach: (databaseUrl: string) => Promise<string> | string = (url) => url,
): Promise<TestApp> {
  const [host, database] = await Promise.all([share.serviceHost(), createTestDatabase()]);
  const databaseUrl = await reach(database.url);
  const service = await callHost<HostedService>(host, { kind: 'start', databaseUrl, settings });
  return appAt(host, service, async () => {
    await callHost(host, { kind: 'stop', origin: service.origin, atOnce: true });
    await database.drop();
  });
}

async function appAt(
  host: string,
  { origin, metricsOrigin, databaseUrl }: HostedService,
  leave: (pool: Pool) => Promise<unknown>,
): Promise<TestApp> {
  const text = await (await fetch(`${origin}/docs/openapi.json`)).text();
  const contract = share.contractOf(text);
  const pool = new Pool({ connectionString: databaseUrl, max: 4, allowExitOnIdle: true });
  // Some tests make the database unavailable.
  pool.on('error', () => undefined);
  const backstage = new Backstage(host, origin);
  let document: OpenAPIObject | undefined;
  return {
    origin,
    metricsOrigin,
    databaseUrl,
    backstage,
    contract,
    // Two megabytes, which few files read.
    get document() {
      return (document ??= JSON.parse(text) as OpenAPIObject);
    },
    api: (key = null) => new Client(origin, contract, key),
    undocumented: (key = null) => new Client(origin, null, key),
    // On a busy machine, the database of a service that has just started may take longer than the service waits.
    teams: await eventually(async () => ({
      ours: await backstage.makeTeam('Ours'),
      theirs: await backstage.makeTeam('Theirs'),
    })),
    query: async <Row>(sql: string, parameters?: unknown[]) => (await pool.query(sql, parameters)).rows as Row[],
    stop: () => callHost(host, { kind: 'stop', origin, atOnce: false }),
    close: async () => {
      await leave(pool);
      await pool.end();
    },
  };
}

const DEADLOCK = '40P01';

/** Deletes every team with all its resources. */
export async function deleteTeams(database: { query(sql: string): Promise<unknown> }): Promise<void> {
  for (;;) {
    try {
      await database.query('DELETE FROM teams');
      return;
    } catch (error) {
      // The service may be recording results or alerts of these teams.
      if ((error as { code?: string }).code !== DEADLOCK) throw error;
    }
  }
}

/**
 * Deletes every team, so that no monitor of this file is checked while the next file runs, and the absences, which count
 * for all teams.
 */
async function forgetTeams(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM monitors');
  await deleteTeams(pool);
  await pool.query(`DELETE FROM spans WHERE kind = 'absence'`);
  const hint = `SELECT pg_notify('daywatch_schedule', json_build_object('monitorId', id)::text) FROM unnest($1::text[]) AS id`;
  await pool.query(hint, [rows.map(({ id }) => id)]);
}
