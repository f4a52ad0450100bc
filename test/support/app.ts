import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type OpenAPIObject } from '@nestjs/swagger';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { AppModule } from '../../src/app.module.js';
import { setUp } from '../../src/app.setup.js';
import { readConfig } from '../../src/config/app-config.js';
import { Transactions } from '../../src/database/tx.js';
import { APPLICATION_OPTIONS } from '../../src/http/conventions.js';
import { type Scope, SCOPES, type TeamId } from '../../src/http/principal.js';
import { readDefinition } from '../../src/modules/api-keys/api-key-definition.js';
import { ApiKeysService, SYSTEM } from '../../src/modules/api-keys/api-keys.service.js';
import { TeamsService } from '../../src/modules/teams/teams.service.js';
import { PinoLogger } from '../../src/pino-logger.js';
import { Client } from './client.js';
import { createTestDatabase } from './database.js';
import { NO_LIMITS } from './no-limits.js';
import { Contract } from './openapi.js';

/** A team, and the secrets of its keys by scope. */
export type TestTeam = Record<Scope, string> & { id: TeamId };

export interface TestApp {
  origin: string;
  /** What the service itself serves at `/docs/openapi.json`. */
  document: OpenAPIObject;
  /** A client with this key, or without one. */
  api(key?: string | null): Client;
  /** As `api`, but what it calls is not in the OpenAPI document, such as the document itself. */
  undocumented(key?: string | null): Client;
  teams: { ours: TestTeam; theirs: TestTeam };
  /** The application, for its services and its router. */
  nest: NestExpressApplication;
  /** The rows of a query on its database. */
  query<Row>(sql: string, parameters?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

// Jest's own makes objects of another realm, which class-transformer does not take for objects at all.
globalThis.structuredClone = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/**
 * The whole service with its checker on a database of its own, listening on 127.0.0.1 and a free port. `reach` may put
 * something between the two: it gives the address by which the service gets to its database.
 */
export async function startApp(
  settings: Record<string, string> = {},
  reach: (databaseUrl: string) => Promise<string> | string = (url) => url,
): Promise<TestApp> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'daywatch-app-'));
  const config = readConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: await reach(database.url),
    SECRET_KEY: 'a key of the tests that seals nothing of worth',
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    MIN_INTERVAL_SECONDS: '1',
    LOG_LEVEL: 'silent',
    ...NO_LIMITS,
    ...settings,
  });
  const nest = await NestFactory.create<NestExpressApplication>(AppModule.of(config), {
    ...APPLICATION_OPTIONS,
    logger: new PinoLogger(config.get('LOG_LEVEL')),
    abortOnError: false,
  });
  setUp(nest);
  // Client and service share one thread here: while a test computes, an idle connection would time out unseen.
  nest.getHttpServer().keepAliveTimeout = 60_000;
  await nest.listen(0, '127.0.0.1');
  const origin = `http://127.0.0.1:${(nest.getHttpServer().address() as AddressInfo).port}`;
  config.listensOn(origin);

  const document = (await (await fetch(`${origin}/docs/openapi.json`)).json()) as OpenAPIObject;
  const contract = new Contract(document);
  return {
    origin,
    document,
    nest,
    api: (key = null) => new Client(origin, contract, key),
    undocumented: (key = null) => new Client(origin, null, key),
    teams: { ours: await makeTeam(nest, 'Ours'), theirs: await makeTeam(nest, 'Theirs') },
    query: (sql, parameters) => nest.get(DataSource).query(sql, parameters),
    close: async () => {
      await nest.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** As `npm run team:create` does it, with a key for each scope. */
async function makeTeam(nest: NestExpressApplication, name: string): Promise<TestTeam> {
  const keys = nest.get(ApiKeysService, { strict: false });
  return nest.get(Transactions, { strict: false }).run(async (tx) => {
    const id = await nest.get(TeamsService, { strict: false }).create(tx, name);
    const secrets: Partial<Record<Scope, string>> = {};
    for (const scope of SCOPES) {
      const definition = readDefinition({ name: `${scope} key`, scopes: [scope] }, Date.now());
      secrets[scope] = (await keys.mint(tx, id, definition, SYSTEM)).secret;
    }
    return { ...(secrets as Record<Scope, string>), id };
  });
}
