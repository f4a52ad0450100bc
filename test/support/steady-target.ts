import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Where the process of the target says how many requests it has answered; these are not counted. */
export const COUNT_PATH = '/requests';

/** An HTTP target that always answers with 200. */
export interface SteadyTarget {
  url: string;
  /** How many it has answered. */
  requests(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Starts a target in a process of its own. In the test's process it could not answer while the test computes or waits
 * for a processor, and monitors would rightly be down.
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
