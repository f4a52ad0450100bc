import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { RUN_VARIABLE, createDatabase, templateOf, type DatabaseRun } from './database-run.js';

let keeper: ChildProcess | undefined;

/**
 * Provides the server of a run with a template of the current schema: a throw-away cluster, or the server of
 * DATABASE_URL, whose user must be allowed to create databases.
 *
 * @param migrate brings an empty database to the current schema
 */
export async function startDatabaseServer(migrate: (url: string) => Promise<void>): Promise<void> {
  const prefix = `daywatch_test_${randomBytes(4).toString('hex')}`;
  const given = process.env.DATABASE_URL;
  const run = await startKeeper([prefix, ...(given ? [given] : [])]);
  try {
    await migrate(await createDatabase(run, templateOf(run)));
  } catch (error) {
    await stopDatabaseServer();
    throw error;
  }
  process.env[RUN_VARIABLE] = JSON.stringify(run);
}

/** Ends the throw-away cluster, or drops the run's databases. */
export async function stopDatabaseServer(): Promise<void> {
  if (!keeper || keeper.exitCode !== null) return;
  const ended = once(keeper, 'exit');
  keeper.stdin?.end();
  await ended;
}

async function startKeeper(args: string[]): Promise<DatabaseRun> {
  const entry = fileURLToPath(new URL('database-keeper.js', import.meta.url));
  // Detached: the terminal's Ctrl-C must end the run, but not the process that cleans up after it.
  keeper = spawn(process.execPath, [entry, ...args], { detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: keeper.stdout! })) return JSON.parse(line) as DatabaseRun;
  throw new Error('The database for the tests did not start.');
}
