import { randomBytes } from 'node:crypto';
import { createDatabase, dropDatabase, RUN_VARIABLE, templateOf, type DatabaseRun } from './database-run.js';

export interface TestDatabase {
  readonly name: string;
  /** For a role that owns the database and, on the throw-away cluster, is not a superuser. */
  readonly url: string;
  /** Drops the database, even if there are open connections. Otherwise it is dropped at the end of the run. */
  readonly drop: () => Promise<void>;
}

/** Creates an empty database with the current schema. */
export function createTestDatabase(): Promise<TestDatabase> {
  return create(templateOf);
}

/** Creates a database without any schema. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return create(() => undefined);
}

/** Creates a copy of a database to which nobody is connected. */
export function copyDatabase({ name }: TestDatabase): Promise<TestDatabase> {
  return create(() => name);
}

async function create(template: (run: DatabaseRun) => string | undefined): Promise<TestDatabase> {
  const run = JSON.parse(process.env[RUN_VARIABLE] ?? 'null') as DatabaseRun | null;
  if (!run) throw new Error("There is no test database: Jest's globalSetup did not run.");
  const name = `${run.prefix}_${randomBytes(6).toString('hex')}`;
  const url = await createDatabase(run, name, template(run));
  return { name, url, drop: () => dropDatabase(run.adminUrl, name) };
}
