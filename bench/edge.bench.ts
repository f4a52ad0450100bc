import autocannon from 'autocannon';
import { BenchChild } from './child.js';
import { median } from './load.js';
import { openFolder } from './opened.js';
import { keep, printTable } from './table.js';

const SECONDS = 4;
const CONNECTIONS = 16;
const MONITORS = 50;

/** Measures requests per second of the service and of a bare Node server that sends the same bytes. */
export async function benchEdge(rounds: number): Promise<void> {
  const server = await BenchChild.start('api-server.js', [await openFolder()]);
  const { unlimited, key } = JSON.parse(server.ready) as { unlimited: string; key: string };
  const id = await makeMonitors(unlimited, key);
  const cases = new Map([
    ['/healthz', '/healthz'],
    ['a monitor', `/v1/monitors/${id}`],
    [`${MONITORS} monitors`, `/v1/monitors?limit=${MONITORS}`],
    ['checks', `/v1/monitors/${id}/checks`],
    ['uptime', `/v1/monitors/${id}/uptime`],
  ]);
  const bare = await BenchChild.start('bytes-server.js', [unlimited, key, ...cases.values()]);
  const runs = new Map([...cases.keys()].map((name) => [name, { service: [] as number[], bare: [] as number[] }]));
  // The first round is a warm-up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, path] of cases) {
      const [service, own] = [await perSecond(unlimited + path, key), await perSecond(bare.ready + path, key)];
      if (round === 0) continue;
      runs.get(name)!.service.push(service);
      runs.get(name)!.bare.push(own);
    }
  }
  const rows = [...runs].map(([name, figures]) => {
    const [service, own] = [median(figures.service), median(figures.bare)];
    return [name, { service: Math.round(service), bare: Math.round(own), ratio: (own / service).toFixed(1) }] as const;
  });
  printTable(new Map(rows.map(([name, { ratio, ...counts }]) => [name, { ...counts, ratio: Number(ratio) }])), [
    'service/s',
    'bare/s',
    'bare : 1',
  ]);
  await keep('edge', { runs: [...runs], medians: rows });
}

async function makeMonitors(origin: string, key: string): Promise<string> {
  let id = '';
  for (let number = 1; number <= MONITORS; number += 1) {
    const made = await fetch(`${origin}/v1/monitors`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        name: `Shop ${number}`,
        type: 'http',
        url: `http://127.0.0.1:9/${number}`,
        paused: true,
        tags: ['shop', 'eu'],
        assertions: [{ source: 'statusCode', comparison: 'equals', target: 200 }],
      }),
    });
    if (made.status !== 201) throw new Error(await made.text());
    ({ id } = (await made.json()) as { id: string });
  }
  return id;
}

async function perSecond(url: string, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const result = await autocannon({ url, headers, duration: SECONDS, connections: CONNECTIONS });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  return result.requests.average;
}
