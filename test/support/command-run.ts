import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface CommandOutcome {
  code: number;
  stdout: string;
  stderr: string;
}

const entryOf = (command: string): string =>
  fileURLToPath(new URL(`../../src/commands/${command}.js`, import.meta.url));

/** Runs a compiled command of `src/commands` with these settings and no others. */
export function runCommandProcess(
  command: string,
  args: string[],
  settings: Record<string, string>,
  flags: string[] = [],
): Promise<CommandOutcome> {
  const env = { PATH: process.env.PATH, ...settings };
  return new Promise((resolve) => {
    execFile(process.execPath, [...flags, entryOf(command), ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

/** Runs a command and sends Ctrl-C (SIGINT) as soon as `at` resolves to true. */
export async function interruptCommand(
  command: string,
  args: string[],
  settings: Record<string, string>,
  at: () => Promise<boolean>,
): Promise<Pick<CommandOutcome, 'code' | 'stderr'>> {
  const child = spawn(process.execPath, [entryOf(command), ...args], { env: { PATH: process.env.PATH, ...settings } });
  const said: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  const closed = once(child, 'close');
  while (!(await at())) {
    if (child.exitCode !== null) throw new Error(`${command} ended before it could be interrupted`);
  }
  child.kill('SIGINT');
  const [code] = (await closed) as [number];
  return { code, stderr: Buffer.concat(said).toString() };
}
