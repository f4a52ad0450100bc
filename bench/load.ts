import autocannon from 'autocannon';
import { cpuUs } from './cpu.js';

export interface Load {
  origin: string;
  headers: Readonly<Record<string, string>>;
  /** Returns the path of the next request. */
  path: () => string;
  connections: number;
  seconds: number;
  /** The process whose CPU time is measured. */
  pid: number;
}

export interface LoadFigures {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** CPU time of the process per request, in microseconds. */
  cpuUs: number;
  /** Mean size of a response, including its headers. */
  bytes: number;
  /** Responses other than 2xx, and failed requests. */
  refused: number;
}

/** Sends GET requests on the given number of connections, each of which sends the next request after a response. */
export async function read({ origin, headers, path, connections, seconds, pid }: Load): Promise<LoadFigures> {
  const before = await cpuUs(pid);
  const times: number[] = [];
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(
      {
        url: origin,
        connections,
        duration: seconds,
        requests: [
          {
            method: 'GET',
            headers,
            setupRequest: (request) => ({ ...request, path: path() }),
          },
        ],
      },
      (error: Error | null, done: autocannon.Result) => (error ? reject(error) : resolve(done)),
    );
    // autocannon's own histogram has a resolution of whole milliseconds.
    run.on('response', (_client, _status, _bytes, ms) => times.push(ms));
  });
  const used = (await cpuUs(pid)) - before;
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? NaN;
  return {
    perSecond: result.requests.total / result.duration,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
    cpuUs: used / result.requests.total,
    bytes: result.throughput.total / result.requests.total,
    refused: result.non2xx + result.errors,
  };
}

/** Returns the median of each figure over several runs. */
export function medians<T extends object>(runs: readonly T[]): T {
  const names = Object.keys(runs[0]!) as (keyof T)[];
  return Object.fromEntries(names.map((name) => [name, median(runs.map((run) => run[name] as number))])) as T;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}
