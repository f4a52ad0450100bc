import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { NO_LIMITS } from './no-limits.js';
import { PATIENCE } from './patience.js';

const MAIN = new URL('../../src/main.js', import.meta.url).pathname;
/** The same flags as in `npm start`. */
const MEMORY = ['--heap-growing-percent=30'];
const START_WITHIN_MS = 30_000 * PATIENCE;

/** The service as a user starts it: a separate process with an embedded database. */
export class ServiceProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly origin: string,
    /** The first API key; empty for a worker. */
    readonly key: string,
    /** The lines on standard output until the service was ready. */
    readonly lines: readonly string[],
    private readonly errors: readonly string[],
  ) {}

  get pid(): number {
    return this.child.pid!;
  }

  /** The log so far: all of its standard error. */
  get log(): string {
    return this.errors.join('');
  }

  /** Starts the service and waits until it reports that it is ready. */
  static async start(
    dataDir: string,
    settings: Record<string, string> = {},
    main: string = MAIN,
  ): Promise<ServiceProcess> {
    const { PATH, HOME, TMPDIR } = process.env;
    const child = spawn(process.execPath, [...MEMORY, '--throw-deprecation', main], {
      env: { PATH, HOME, TMPDIR, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'error', ...NO_LIMITS, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const deadline = setTimeout(() => child.kill('SIGKILL'), START_WITHIN_MS);
    const lines: string[] = [];
    const errors: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => errors.push(chunk));
    try {
      for await (const line of createInterface({ input: child.stdout })) {
        lines.push(line);
        const [, origin] = /is ready: (?:API|[a-z, ]+; health) (\S+)\/(?:v1|readyz)/.exec(line) ?? [];
        if (origin === undefined) continue;
        const key = settings.ROLES === 'worker' ? '' : await readKey(dataDir);
        return new ServiceProcess(child, origin, key, lines, errors);
      }
    } finally {
      clearTimeout(deadline);
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    throw new Error(`the service ended before it was ready, exit code ${child.exitCode}: ${lines.join('\n')}`);
  }

  /** Resolves with the exit code once the process has ended, whatever ended it; null if a signal did. */
  async ended(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    return this.child.exitCode;
  }

  /** Suspends or resumes the process. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.child.kill(signal);
  }

  /** Ends the process with a signal. Returns its exit code; null after SIGKILL. */
  async end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal);
    return this.ended();
  }

  /** Sends a request, by default with the first API key. Returns the parsed response; rejects if there is none. */
  async call<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; body: T }> {
    const response = await fetch(`${this.origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as T };
  }
}

async function readKey(dataDir: string): Promise<string> {
  return (await readFile(join(dataDir, 'initial-api-key'), 'utf8')).trim();
}
