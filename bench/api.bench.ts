import autocannon from 'autocannon';
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { BenchChild } from './child.js';
import { cpuUs } from './cpu.js';
import { median } from './load.js';
import { openFolder } from './opened.js';
import { printTable } from './table.js';

const SECONDS = 5;
const CONNECTIONS = 16;

interface Addresses {
  bare: string;
  unlimited: string;
  limited: string;
  key: string;
}

/** One kind of request. */
interface Case {
  name: string;
  url: string;
  method?: 'PATCH' | 'POST';
  body?: object;
  /** Sends a new `Idempotency-Key` with each request. */
  keyed?: boolean;
}

interface Figures {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** CPU time of the service and its database per request, in microseconds. */
  cpuUs: number;
  /** Responses other than 2xx. */
  refused: number;
}

/** Measures requests per second and CPU per request, from a bare Nest route to real ones, one convention at a time. */
export async function benchApi(rounds: number): Promise<void> {
  const server = await BenchChild.start('api-server.js', [await openFolder()]);
  const addresses = JSON.parse(server.ready) as Addresses;
  const cases = await prepare(addresses);
  const runs = new Map<string, Figures[]>();
  for (let round = 0; round <= rounds; round += 1) {
    for (const one of cases) {
      const figures = await run(one, addresses.key, server.pid, round === 0 ? 1 : SECONDS);
      // The first round is a warm-up.
      if (round > 0) runs.set(one.name, [...(runs.get(one.name) ?? []), figures]);
    }
  }
  await report(runs);
}

async function prepare({ bare, unlimited, limited, key }: Addresses): Promise<Case[]> {
  const created = await fetch(`${unlimited}/v1/monitors`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench', type: 'http', url: 'http://127.0.0.1:9/', paused: true }),
  });
  const { id } = (await created.json()) as { id: string };
  const pause = { method: 'POST', body: { reason: 'Bench' } } as const;
  return [
    { name: 'bare Nest route', url: `${bare}/v1/bench/bare` },
    { name: 'conventions, public', url: `${unlimited}/v1/bench/bare` },
    { name: '+ key and scope', url: `${unlimited}/v1/bench/guarded` },
    { name: '+ rate limit', url: `${limited}/v1/bench/guarded` },
    { name: '+ a row by id', url: `${unlimited}/v1/bench/by-id/${id}` },
    { name: '+ a row by team and id', url: `${unlimited}/v1/bench/by-team/${id}` },
    { name: 'GET /v1/monitors/:id', url: `${unlimited}/v1/monitors/${id}` },
    { name: 'GET, rate limit', url: `${limited}/v1/monitors/${id}` },
    { name: 'POST pause', url: `${unlimited}/v1/monitors/${id}/pause`, ...pause },
    { name: 'POST pause, rate limit', url: `${limited}/v1/monitors/${id}/pause`, ...pause },
    { name: 'POST pause, Idempotency-Key', url: `${unlimited}/v1/monitors/${id}/pause`, ...pause, keyed: true },
  ];
}

async function run(one: Case, key: string, pid: number, seconds: number): Promise<Figures> {
  const before = await cpuUs(pid);
  const result = await autocannon({
    url: one.url,
    duration: seconds,
    // Writes of the same row wait for each other: more connections would measure the queue.
    connections: one.method ? 1 : CONNECTIONS,
    requests: [
      {
        method: one.method ?? 'GET',
        headers: { authorization: `Bearer ${key}`, ...(one.body && { 'content-type': 'application/json' }) },
        ...(one.body && { body: JSON.stringify(one.body) }),
        ...(one.keyed && {
          setupRequest: (request) => ({
            ...request,
            headers: { ...request.headers, 'idempotency-key': randomUUID() },
          }),
        }),
      },
    ],
  });
  const used = (await cpuUs(pid)) - before;
  return {
    perSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    cpuUs: used / result.requests.total,
    refused: result.non2xx,
  };
}

async function report(runs: ReadonlyMap<string, Figures[]>): Promise<void> {
  const rows = [...runs].map(([name, figures]) => ({
    name,
    perSecond: Math.round(median(figures.map((one) => one.perSecond))),
    p50Ms: median(figures.map((one) => one.p50Ms)),
    p99Ms: median(figures.map((one) => one.p99Ms)),
    cpuUs: Math.round(median(figures.map((one) => one.cpuUs))),
    refused: figures.reduce((sum, { refused }) => sum + refused, 0),
  }));
  printTable(new Map(rows.map(({ name, ...figures }) => [name, figures])), [
    'requests/s',
    'p50 ms',
    'p99 ms',
    'CPU µs',
    'refused',
  ]);
  await mkdir('build/bench', { recursive: true });
  await writeFile('build/bench/api.json', `${JSON.stringify({ runs: [...runs], medians: rows }, null, 2)}\n`);
}
