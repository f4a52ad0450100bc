import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { type DataSource } from 'typeorm';
import { BenchChild } from './child.js';
import { type Dataset, openDataset, withSource } from './dataset/main.js';
import { freshen } from './dataset/monitors.js';
import { datasetOptions, wholeNumber } from './dataset/shape.js';
import { type Load, type LoadFigures, medians, read } from './load.js';
import { OWNER } from './service.js';
import { printTable, rounded } from './table.js';

/** Connections of cases that measure the maximum throughput. */
const MANY = 16;
const HUNDREDTH = 100;
const BROWSER = { 'accept-encoding': 'gzip, deflate, br' };

/** One kind of request. */
interface Case {
  name: string;
  paths: readonly string[];
  /** Overrides the option of the same name. */
  connections?: number;
  /** Added to the headers of an API client. */
  headers?: Readonly<Record<string, string>>;
}

type Runs = Map<string, LoadFigures[]>;

/**
 * Measures response times of the API's reads on a large data set, first without writes, and then while checks are
 * recorded. The writer is a separate process that records batches with the service's recorder and probes nothing.
 */
export async function benchReads(args: string[]): Promise<void> {
  // One request at a time by default: with more, the times include waiting for each other.
  const own = { rounds: '3', seconds: '5', writes: '1000', connections: '1', only: '' };
  const { options, rest } = datasetOptions(args, own);
  const { only = '', writes = '' } = rest;
  const [rounds, seconds] = [wholeNumber('rounds', rest.rounds), wholeNumber('seconds', rest.seconds)];
  const dataset = await openDataset(options);
  const { database, secretKey, key } = dataset;
  const server = await BenchChild.start('reads-server.js', [database.url, secretKey]);
  const all = await withSource(database.url, (source) => casesOf(source, server.ready, key));
  const cases = all.filter(({ name }) => name.includes(only));
  const connections = wholeNumber('connections', rest.connections);
  const load = {
    origin: server.ready,
    headers: { authorization: `Bearer ${key}` },
    pid: server.pid,
    connections,
    seconds,
  };
  const quiet = await measure(cases, load, rounds);
  report('quiet', quiet);
  const { runs: writing, said } = await whileWriting(dataset, writes, () => measure(cases, load, rounds));
  report(`while ${said.perSecond} checks per second are recorded`, writing);
  await save({ ...options, connections, said, machine: machine() }, { quiet, writing });
}

/** Returns the requests to measure, for monitors and pages drawn at random. */
async function casesOf(source: DataSource, origin: string, key: string): Promise<Case[]> {
  const draw = (where: string): Promise<{ id: string; key: string }[]> =>
    source.query(`SELECT m.id, m.key FROM monitors m WHERE ${where} ORDER BY random() LIMIT 1000`);
  const any = await draw('true');
  // The first monitors have all of their checks, the others one per day.
  const often = await draw(`m.key IN (SELECT 'bench-' || n FROM generate_series(1, 100) AS n)`);
  const pages: { slug: string }[] = await source.query('SELECT slug FROM status_pages');
  const list = '/v1/monitors';
  const down = any.flatMap((_, index) => `${list}?status=down&tag=team-${1 + (index % 50)}`);
  const application = { ...BROWSER, cookie: await signIn(origin) };
  const ofMonitors = (rows: { id: string }[], rest: string): string[] => rows.map(({ id }) => `${list}/${id}${rest}`);
  return [
    { name: 'monitor', paths: ofMonitors(any, '') },
    { name: 'monitor by key', paths: any.map((one) => `${list}/key:${one.key}`) },
    { name: `monitor, ${MANY} at once`, paths: ofMonitors(any, ''), connections: MANY },
    { name: 'latest 100 checks, of many', paths: ofMonitors(often, '/checks?limit=100') },
    { name: 'latest 100 checks, one a day', paths: ofMonitors(any, '/checks?limit=100') },
    { name: 'uptime of 90 days', paths: ofMonitors(any, '/uptime') },
    { name: 'status page, 50 components', paths: pages.map(({ slug }) => `/status/${slug}.json`) },
    { name: 'the same for people, compressed', paths: pages.map(({ slug }) => `/status/${slug}`), headers: BROWSER },
    { name: 'application, overview', paths: ['/'], headers: application },
    { name: 'application, list of monitors', paths: ['/monitors'], headers: application },
    {
      name: 'application, list by a text',
      paths: any.map(({ key }) => `/monitors?q=${key.replace('bench', 'service')}`),
      headers: application,
    },
    {
      name: 'application, list by a tag',
      paths: Array.from({ length: 50 }, (_, index) => `/monitors?tag=team-${1 + index}`),
      headers: application,
    },
    {
      name: 'application, list, down and a tag',
      paths: down.map((one) => one.replace(list, '/monitors')),
      headers: application,
    },
    { name: 'application, a monitor', paths: any.map(({ id }) => `/monitors/${id}`), headers: application },
    { name: 'application, incidents', paths: ['/incidents'], headers: application },
    { name: 'list', paths: [list] },
    { name: 'list, hundredth page', paths: [await pageAfter(HUNDREDTH - 1, origin, key)] },
    { name: 'list, down and a tag', paths: down },
    { name: 'list, up and a tag', paths: down.map((one) => one.replace('down', 'up')) },
    { name: 'list, down and a common tag', paths: [`${list}?status=down&tag=production`] },
    { name: 'list, up and no such tag', paths: [`${list}?status=up&tag=none`] },
    { name: 'list, by name', paths: [`${list}?sort=name`] },
    { name: 'list, by time of change', paths: [`${list}?sort=-statusSince`] },
    { name: 'list, by a text', paths: any.map((one) => `${list}?q=${one.key.replace('bench', 'service')}`) },
  ];
}

/** Signs in and returns the session cookie. */
async function signIn(origin: string): Promise<string> {
  const answer = await fetch(`${origin}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin },
    body: new URLSearchParams(OWNER),
  });
  const [cookie] = answer.headers.getSetCookie();
  if (cookie === undefined) throw new Error(`signing in failed: ${answer.status}`);
  return cookie.split(';')[0]!;
}

/** Returns the path of the list page after the first `pages` pages. */
async function pageAfter(pages: number, origin: string, key: string): Promise<string> {
  let path = '/v1/monitors';
  for (let page = 0; page < pages; page += 1) {
    const answer = await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${key}` } });
    const { nextCursor } = (await answer.json()) as { nextCursor: string | null };
    // A small data set has fewer pages.
    if (nextCursor === null) return path;
    path = `/v1/monitors?cursor=${encodeURIComponent(nextCursor)}`;
  }
  return path;
}

type Server = Omit<Load, 'path'>;

async function measure(cases: readonly Case[], server: Server, rounds: number): Promise<Runs> {
  const runs: Runs = new Map();
  // The first round is a warm-up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, paths, connections = server.connections, headers } of cases) {
      const path = (): string => paths[Math.floor(Math.random() * paths.length)]!;
      const seconds = round === 0 ? 1 : server.seconds;
      const figures = await read({ ...server, path, connections, headers: { ...server.headers, ...headers }, seconds });
      if (round > 0) runs.set(name, [...(runs.get(name) ?? []), figures]);
    }
  }
  return runs;
}

async function whileWriting(
  { database, secretKey }: Dataset,
  perSecond: string,
  work: () => Promise<Runs>,
): Promise<{ runs: Runs; said: { recorded: number; perSecond: number } }> {
  await withSource(database.url, freshen);
  const writer = await BenchChild.start('reads-writer.js', [database.url, secretKey, perSecond]);
  let said: string | null = null;
  const runs = await work().finally(async () => (said = await writer.end()));
  if (said === null) throw new Error('the writer ended early');
  return { runs, said: JSON.parse(said) as { recorded: number; perSecond: number } };
}

function report(title: string, runs: Runs): void {
  process.stdout.write(`\n${title}\n`);
  const rows = [...runs].map(([name, figures]) => {
    const { perSecond, p50Ms, p99Ms, maxMs, cpuUs, bytes, refused } = medians(figures);
    const cells = { perSecond, p50Ms, p99Ms, maxMs, cpuUs, bytes, refused };
    return [name, Object.fromEntries(Object.entries(cells).map(([cell, value]) => [cell, rounded(value)]))] as const;
  });
  printTable(new Map(rows), ['requests/s', 'p50 ms', 'p99 ms', 'max ms', 'CPU µs', 'bytes', 'refused']);
}

function machine(): object {
  const [first] = cpus();
  return { cpus: cpus().length, model: first?.model, node: process.version };
}

async function save(about: object, parts: Record<string, Runs>): Promise<void> {
  const figures = Object.entries(parts).map(([part, runs]) => [
    part,
    [...runs].map(([name, all]) => ({ name, median: medians(all), runs: all })),
  ]);
  await mkdir('build/bench', { recursive: true });
  const text = JSON.stringify({ ...about, ...Object.fromEntries(figures) }, null, 2);
  await writeFile('build/bench/reads.json', `${text}\n`);
}
