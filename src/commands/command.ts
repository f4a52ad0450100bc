import { type AppConfig, readConfig } from '../config/app-config.js';
import { openCommandDatabase } from '../database/command-database.js';
import { exitCodeOf, reasonOf } from '../exit-code.js';

/**
 * Runs a command with the settings of the environment. Sets the exit code to 0, 78 for wrong settings, 75 if a later
 * attempt may succeed, or 1 for anything else, and writes the reason to standard error. Ctrl-C and SIGTERM abort the
 * signal, so that work in progress can be undone; a second one ends the process at once.
 */
export async function runCommand(work: (config: AppConfig, signal: AbortSignal) => Promise<void>): Promise<void> {
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort(new Error('Interrupted.'));
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    await work(readConfig(), interruption.signal);
  } catch (error) {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exitCode = exitCodeOf(error);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** Runs `work` with the URL of the database. Stops the embedded server afterwards if it had to be started for this. */
export async function withDatabase<T>(config: AppConfig, work: (url: string) => Promise<T>): Promise<T> {
  const database = await openCommandDatabase(config);
  try {
    return await work(database.url);
  } finally {
    await database.close();
  }
}

/** Prints one line for the operator. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
