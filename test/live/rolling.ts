import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { startRetryingProxy } from '../support/retrying-proxy.js';
import { Fleet } from './chaos/fleet.js';

/** How the requests went while the processes that serve the API were restarted in turn. */
export interface RollingReport {
  restarts: number;
  requests: number;
  /** Requests for which a connection was refused, and that the other process answered. */
  retried: number;
  /** Requests without a correct response, by what came instead. */
  failed: Record<string, number>;
  slowestMs: number;
  /** Durations of the stops. */
  stopMs: number[];
}

const MONITORS = 20;
/** One request in so many changes something. */
const WRITE_EVERY = 4;
const SETTLE_MS = 1_000;
/** Longer than a request may take even on a busy machine. */
const PATIENCE_MS = 30_000;

/** Restarts each of two processes `rounds` times while a proxy in front of them receives `perSecond` requests. */
export async function rolling(rounds: number, perSecond: number, say: (line: string) => void): Promise<RollingReport> {
  const members = ['api-1', 'api-2'] as const;
  const fleet = await Fleet.open(members);
  const addresses = new Map<string, string>();
  // A proxy knows a process by an address that it keeps while it is away; here, a process that is started again has another.
  const origins = (): string[] => {
    for (const member of members) {
      const { running } = fleet.keeper(member);
      if (running) addresses.set(member, running.origin);
    }
    return [...addresses.values()];
  };
  const proxy = await startRetryingProxy(origins);
  const report: RollingReport = { restarts: 0, requests: 0, retried: 0, failed: {}, slowestMs: 0, stopMs: [] };
  try {
    const load = new Load(proxy.origin, fleet.key, report);
    await load.prepare();
    const stopped = load.run(perSecond);
    for (let round = 0; round < rounds; round += 1) {
      for (const member of members) {
        await delay(SETTLE_MS);
        const keeper = fleet.keeper(member);
        const from = performance.now();
        const code = await keeper.stop();
        report.stopMs.push(performance.now() - from);
        if (code !== 0) throw new Error(`${member} ended with ${code}`);
        await eventually(() => {
          if (!keeper.running)
            throw new Error(`${member} is not back: ${keeper.failedStarts.at(-1)?.text ?? 'it is starting'}`);
        }, PATIENCE_MS);
        report.restarts += 1;
        report.retried = proxy.retried;
        say(`${member} is back: ${report.requests} requests, ${JSON.stringify(report.failed)}`);
      }
    }
    load.end();
    await stopped;
    return { ...report, retried: proxy.retried };
  } finally {
    await proxy.close();
    await fleet.close();
  }
}

/** Requests at a fixed rate, however long they take. */
class Load {
  private isOver = false;

  constructor(
    private readonly origin: string,
    private readonly key: string,
    private readonly report: RollingReport,
  ) {}

  async prepare(): Promise<void> {
    for (let index = 0; index < MONITORS; index += 1) await this.send(index, true);
  }

  end(): void {
    this.isOver = true;
  }

  async run(perSecond: number): Promise<void> {
    const sent = new Set<Promise<void>>();
    const startedAt = performance.now();
    for (let index = 0; !this.isOver; index += 1) {
      await delay(startedAt + (index * 1_000) / perSecond - performance.now());
      const one = this.send(index, index % WRITE_EVERY === 0).finally(() => sent.delete(one));
      sent.add(one);
    }
    await Promise.all(sent);
  }

  private async send(index: number, isWrite: boolean): Promise<void> {
    const key = `rolling-${index % MONITORS}`;
    const definition = { name: `Change ${index}`, type: 'http', url: 'https://example.com/', paused: true };
    const from = performance.now();
    this.report.requests += 1;
    try {
      const response = await fetch(`${this.origin}/v1/monitors/key:${key}`, {
        method: isWrite ? 'PUT' : 'GET',
        headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(PATIENCE_MS),
        ...(isWrite && { body: JSON.stringify(definition) }),
      });
      const text = await response.text();
      if (!response.ok) this.fail(`${response.status} ${text.slice(0, 200)}`);
    } catch (error) {
      const { cause, message } = error as Error;
      this.fail(cause instanceof Error ? cause.message : message);
    }
    this.report.slowestMs = Math.max(this.report.slowestMs, performance.now() - from);
  }

  private fail(text: string): void {
    this.report.failed[text] = (this.report.failed[text] ?? 0) + 1;
  }
}
