import { readdirSync } from 'node:fs';

/**
 * Returns the number of open file descriptors of this process once it no longer decreases: closing takes a few turns of
 * the event loop.
 */
export async function settledDescriptors(): Promise<number> {
  let last = Infinity;
  for (;;) {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((done) => setImmediate(done));
    const now = readdirSync('/proc/self/fd').length;
    if (now >= last) return last;
    last = now;
  }
}
