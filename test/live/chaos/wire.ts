import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { shardOf } from '../../../src/domain/shard.js';

/** The default of `SHARDS`. */
export const SHARDS = 16;
const CONNECT_AGAIN_MS = 50;

/** A check as it is sent, or the key of a result. */
interface Item {
  monitorId: string;
  scheduledAt: number;
  location: string;
  attempt: number;
  epoch: number;
}

/** A batch in a queue. */
interface Batch {
  items: readonly Item[];
  /** The location of a queue of results. */
  location: string;
}

/** A check that was sent under the lease of a shard; epoch milliseconds. */
export interface Dispatch {
  at: number;
  shard: number;
  /** Missing if it was sent under no lease. */
  epoch: number | undefined;
}

export function resultKey({ monitorId, scheduledAt, location, attempt }: Omit<Item, 'epoch'>): string {
  return `${monitorId}/${location}/${scheduledAt}/${attempt}`;
}

/**
 * Follows what processes write to Redis: which checks they send, and which batches they report as finished. Nothing else
 * shows whether something was acknowledged before it was safe.
 */
export class Wire {
  private socket: Socket | null = null;
  private isOver = false;
  private readonly following: Promise<void>;
  private readonly checks = new Map<string, Batch>();
  private readonly results = new Map<string, Batch>();
  private readonly sent = new Set<string>();
  readonly dispatches: Dispatch[] = [];
  /** The keys of results whose batches are finished: they must be recorded. */
  readonly acknowledged = new Set<string>();
  /** Finished batches of checks, and the checks in them without a result in a queue. */
  finishedBatches = 0;
  readonly withoutResult: string[] = [];

  constructor(
    private readonly port: number,
    private readonly prefix: string,
  ) {
    this.following = this.follow();
  }

  async close(): Promise<void> {
    this.isOver = true;
    this.socket?.destroy();
    await this.following;
  }

  /** Follows the server, also after a restart, which empties it. */
  private async follow(): Promise<void> {
    while (!this.isOver) {
      const socket = connect(this.port, '127.0.0.1');
      this.socket = socket;
      let rest = '';
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\r\n');
        rest = lines.pop()!;
        for (const line of lines) this.read(line);
      });
      socket.on('connect', () => socket.write('MONITOR\r\n'));
      await new Promise<void>((resolve) => socket.on('error', () => undefined).on('close', () => resolve()));
      this.checks.clear();
      this.results.clear();
      await delay(CONNECT_AGAIN_MS);
    }
  }

  private read(line: string): void {
    // Queues are written by scripts only.
    const [, at, command] = /^\+(\d+\.\d+) \[\d+ lua\] "(HMSET|XADD)"/i.exec(line) ?? [];
    if (command === undefined) {
      if (/^\+\d+\.\d+ \[[^\]]*\] "flushall"/i.test(line)) this.forget();
      return;
    }
    const [, key = '', ...args] = argumentsOf(line);
    const [, queue, job] = new RegExp(`^${this.prefix}:((?:checks|results)-.*):([^:]+)$`).exec(key) ?? [];
    if (queue === undefined) return;
    const isChecks = queue.startsWith('checks-');
    if (command.toUpperCase() === 'HMSET') {
      const data = args[args.indexOf('data') + 1];
      if (args.includes('data') && data?.startsWith('{')) this.add(queue, key, Number(at) * 1_000, data);
    } else if (job === 'events' && args[args.indexOf('event') + 1] === 'completed') {
      this.finish(`${this.prefix}:${queue}:${args[args.indexOf('jobId') + 1]}`, isChecks);
    }
  }

  private add(queue: string, key: string, at: number, data: string): void {
    const { items } = JSON.parse(data) as { items: (Item | null | string)[] };
    // What a stolen worker sends may be anything.
    const real = items.filter((one): one is Item => typeof one === 'object' && typeof one?.monitorId === 'string');
    const location = queue.replace(/^results-(.*)-\d+$/, '$1');
    if (!queue.startsWith('checks-')) {
      this.results.set(key, { items: real, location });
      for (const one of real) this.sent.add(resultKey(one));
      return;
    }
    this.checks.set(key, { items: real, location });
    for (const { monitorId, epoch } of real) this.dispatches.push({ at, shard: shardOf(monitorId, SHARDS), epoch });
  }

  private finish(key: string, isChecks: boolean): void {
    const batch = (isChecks ? this.checks : this.results).get(key);
    if (!batch) return;
    if (isChecks) {
      this.finishedBatches += 1;
      this.withoutResult.push(...batch.items.map(resultKey).filter((one) => !this.sent.has(one)));
      this.checks.delete(key);
    } else {
      const own = batch.items.filter(({ location }) => location === batch.location);
      for (const one of own) this.acknowledged.add(resultKey(one));
      this.results.delete(key);
    }
  }

  /** A flushed server gives the numbers of its jobs again. */
  private forget(): void {
    this.checks.clear();
    this.results.clear();
  }
}

/** Returns the arguments of a line of MONITOR, whose quoting is that of strings in C. */
function argumentsOf(line: string): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => {
    const bytes = text!.replace(/\\(x[\da-f]{2}|.)/gi, (_, escape: string) => unescaped(escape));
    return Buffer.from(bytes, 'latin1').toString();
  });
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b' };

function unescaped(escape: string): string {
  if (escape.length === 3) return String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  return ESCAPES[escape] ?? escape;
}
