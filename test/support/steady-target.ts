import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The path at which the target returns the number of requests so far; requests for this path are not counted. */
export const COUNT_PATH = '/requests';

/** An HTTP target that always responds with 200. */
export interface SteadyTarget {
  url: string;
  /** Returns the number of requests so far. */
  requests(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Starts a target in a separate process. In the test's process it could not respond while the test computes or waits
 * for the CPU, and monitors would rightly be down.
 */
export async function startSteadyTarget(): Promise<SteadyTarget> {
  const entry = fileURLToPath(new URL('steady-target-process.js', import.meta.url));
  const child = spawn(process.execPath, [entry], { stdio: ['pipe', 'pipe', 'inherit'] });
  for await (const port of createInterface({ input: child.stdout })) {
    const url = `http://127.0.0.1:${port}/`;
    return {
      url,
      requests: async () => Number(await (await fetch(new URL(COUNT_PATH, url))).text()),
      close: async () => {
        const ended = once(child, 'exit');
        child.stdin.end();
        await ended;
      },
    };
  }
  throw new Error('the target ended before it was ready');
}
