import { randomBytes } from 'node:crypto';
import { createDatabase, dropDatabase, RUN_VARIABLE, templateOf, type DatabaseRun } from './database-run.js';

export interface TestDatabase {
  /** For a role that owns the database and, on the throw-away cluster, is no superuser. */
  readonly url: string;
  /** Drops it, whoever is still connected. What is not dropped goes at the end of the run. */
  readonly drop: () => Promise<void>;
}

/** A database of its own for a test file, with the current schema and nothing in it. */
export function createTestDatabase(): Promise<TestDatabase> {
  return create(templateOf);
}

/** Likewise one without any schema. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return create(() => undefined);
}

async function create(template: (run: DatabaseRun) => string | undefined): Promise<TestDatabase> {
  const run = JSON.parse(process.env[RUN_VARIABLE] ?? 'null') as DatabaseRun | null;
  if (!run) throw new Error("There is no test database: jest's globalSetup did not run.");
  const name = `${run.prefix}_${randomBytes(6).toString('hex')}`;
  const url = await createDatabase(run, name, template(run));
  return { url, drop: () => dropDatabase(run.adminUrl, name) };
}
