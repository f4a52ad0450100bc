import { Agent, get } from 'node:http';
import { createInterface } from 'node:readline';

/**
 * Requests a URL repeatedly. Answers each line of its standard input with the longest response time in milliseconds
 * since the previous line, including a pending request. Ends when its standard input closes.
 */
const EVERY_MS = 20;
const [url = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let worstMs = 0;
let askedAt: number | null = null;

function ask(): void {
  const from = (askedAt = performance.now());
  const done = (): void => {
    if (askedAt === null) return;
    askedAt = null;
    worstMs = Math.max(worstMs, performance.now() - from);
    setTimeout(ask, EVERY_MS);
  };
  get(url, { agent }, (answer) => answer.resume().once('end', done)).once('error', done);
}

ask();
createInterface({ input: process.stdin })
  .on('line', () => {
    const nowMs = askedAt === null ? 0 : performance.now() - askedAt;
    process.stdout.write(`${Math.max(worstMs, nowMs)}\n`);
    worstMs = 0;
  })
  .once('close', () => process.exit(0));
