import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { eventually } from '../test/support/eventually.js';
import { BenchChild } from './child.js';
import { read } from './load.js';
import { opened, openFolder } from './opened.js';

/** Where a small page is served at `/`. */
export interface Endpoint {
  secure: boolean;
  /** The host in the URL and in the certificate. */
  host: string;
  port: number;
}

const SECONDS = 5;
const BLACKBOX = ['blackbox_exporter', 'prometheus-blackbox-exporter'];

/**
 * Measures the CPU time per request of this page, in microseconds, for clients that store nothing: a bare loop in Node,
 * and `wrk` and blackbox_exporter if they are installed.
 */
export async function measurePeers(endpoint: Endpoint, caFile: string): Promise<Record<string, number>> {
  const costs: Record<string, number> = { 'bare loop': await bareLoop(endpoint, caFile) };
  // wrk does not verify certificates.
  if (!endpoint.secure && has('wrk')) costs.wrk = await wrk(endpoint);
  const exporter = BLACKBOX.find(has);
  if (exporter) costs.blackbox_exporter = await blackbox(exporter, endpoint, caFile);
  return costs;
}

function has(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined;
}

function urlOf({ secure, host, port }: Endpoint): string {
  return `${secure ? 'https' : 'http'}://${host}:${port}/`;
}

async function bareLoop(endpoint: Endpoint, caFile: string): Promise<number> {
  const trusted = { NODE_EXTRA_CA_CERTS: caFile };
  const child = await BenchChild.start('bare-requests.js', [JSON.stringify(endpoint), String(SECONDS)], trusted);
  await child.end();
  return Number(child.ready);
}

async function wrk(endpoint: Endpoint): Promise<number> {
  const run = spawn('bash', [
    '-c',
    `TIMEFORMAT='cpu %U %S'; time wrk -t1 -c16 -d${SECONDS}s -H 'Connection: close' ${urlOf(endpoint)} 2>&1`,
  ]);
  let text = '';
  for (const stream of [run.stdout, run.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(run, 'close');
  const [, requests] = /(\d+) requests in/.exec(text) ?? [];
  const [, user, system] = /cpu ([\d.]+) ([\d.]+)/.exec(text) ?? [];
  return ((Number(user) + Number(system)) * 1e6) / Number(requests);
}

async function blackbox(program: string, endpoint: Endpoint, caFile: string): Promise<number> {
  const config = join(await openFolder(), 'blackbox.yml');
  const http = { preferred_ip_protocol: 'ip4', tls_config: { ca_file: resolve(caFile) } };
  await writeFile(config, JSON.stringify({ modules: { page: { prober: 'http', http } } }));
  const origin = 'http://127.0.0.1:19115';
  const flags = [`--config.file=${config}`, '--web.listen-address=127.0.0.1:19115', '--log.level=error'];
  const child = await opened(() => Promise.resolve(spawn(program, flags)), ended);
  try {
    await eventually(async () => expectSuccess(await (await fetch(`${origin}${probePath(endpoint)}`)).text()));
    const { cpuUs: each, refused } = await read({
      origin,
      headers: {},
      path: () => probePath(endpoint),
      connections: 16,
      seconds: SECONDS,
      pid: child.pid!,
    });
    if (refused > 0) throw new Error(`${program} refused ${refused} requests`);
    return each;
  } finally {
    await ended(child);
  }
}

function probePath(endpoint: Endpoint): string {
  return `/probe?module=page&target=${encodeURIComponent(urlOf(endpoint))}`;
}

function expectSuccess(metrics: string): void {
  if (!/^probe_success 1$/m.test(metrics)) throw new Error(`blackbox_exporter does not reach the target: ${metrics}`);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}
