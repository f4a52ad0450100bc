import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { opened } from './opened.js';

/**
 * A child process of a benchmark. It prints a line when it is ready, and exits when its standard input ends, at the
 * latest together with the benchmark.
 */
export class BenchChild {
  private constructor(
    private readonly child: ChildProcess,
    private readonly lines: AsyncIterator<string>,
    /** The line that it printed when it was ready. */
    readonly ready: string,
  ) {}

  /** @param entry file name in the folder of this file */
  static async start(
    entry: string,
    args: readonly string[],
    environment: Record<string, string> = {},
  ): Promise<BenchChild> {
    const file = new URL(entry, import.meta.url).pathname;
    const options = process.execArgv.filter((one) => !one.startsWith('--cpu-prof'));
    const profile = process.env.BENCH_PROFILE === entry ? ['--cpu-prof', '--cpu-prof-dir=build/bench/profile'] : [];
    const start = (): ChildProcess =>
      spawn(process.execPath, [...options, ...profile, file, ...args], {
        env: { ...process.env, ...environment },
        stdio: ['pipe', 'pipe', 'inherit'],
        // Ctrl-C must reach only the benchmark, which ends its children: some have a database to stop.
        detached: true,
      });
    const child = await opened(() => Promise.resolve(start()), end);
    const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    const first = await lines.next();
    if (first.done) throw new Error(`${entry} ended before it was ready`);
    return new BenchChild(child, lines, first.value);
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** Ends the process and returns the last line that it printed, if any. */
  async end(): Promise<string | null> {
    const ended = end(this.child);
    const last = await this.lines.next();
    await ended;
    return last.done ? null : last.value;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.stdin?.end();
  await exit;
}
