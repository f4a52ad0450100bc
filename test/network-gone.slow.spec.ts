import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Page } from '../src/http/lists/page.js';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { type UptimeDto } from '../src/modules/uptime/dto/uptime.dto.js';
import { startApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { checkNow, createMonitor, getMonitor, httpMonitor, listChecks, untilStatus } from './support/monitors.js';
import { PATIENCE } from './support/patience.js';
import { ServiceProcess } from './support/service.js';
import { startSwitchable, type Switchable } from './support/switchable.js';
import { timed } from './support/timed.js';

const TOKEN = 'a token of the tests';
const REFUSED = 'http://127.0.0.1:9/';

let app: TestApp;
let api: Client;
let closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  closing = [];
});

async function start(canaries: readonly Switchable[]): Promise<void> {
  const CANARY_TARGETS = canaries.map(({ port }) => `127.0.0.1:${port}`).join();
  app = await startApp({ CANARY_TARGETS, METRICS_TOKEN: TOKEN });
  api = app.api(app.teams.ours.write);
  closing.push(() => app.close());
}

async function server(): Promise<Switchable> {
  const one = await startSwitchable();
  closing.push(() => one.down());
  return one;
}

/** Defines a monitor that goes down at the first failure. The timeout is long enough for a busy machine. */
const hasty = (url: string): Record<string, unknown> =>
  httpMonitor(url, { failureThreshold: 1, intervalSeconds: 2, timeoutMs: 2_000 });

async function createMany(count: number, url: string): Promise<void> {
  for (let made = 0; made < count; made += 5) {
    await Promise.all(Array.from({ length: Math.min(5, count - made) }, () => createMonitor(api, hasty(url))));
  }
}

async function listed(): Promise<MonitorDto[]> {
  return (await api.get<Page<MonitorDto>>('/v1/monitors?limit=200')).body.data;
}

async function untilAll(status: string, timeoutMs = 60_000): Promise<void> {
  await eventually(async () => {
    const other = (await listed()).filter((monitor) => monitor.status !== status);
    expect(other.map((monitor) => monitor.status)).toEqual([]);
  }, timeoutMs);
}

async function networkAvailable(): Promise<number> {
  const answer = await fetch(`${app.origin}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  return Number(/^daywatch_network_available (\d)$/m.exec(await answer.text())?.[1]);
}

async function today(id: string): Promise<UptimeDto['totals']> {
  return (await api.get<UptimeDto>(`/v1/monitors/${id}/uptime?days=1`)).body.totals;
}

async function count(sql: string): Promise<number> {
  const [row] = await app.query<{ count: string }>(`SELECT count(*) FROM ${sql}`);
  return Number(row!.count);
}

describe('a loss of the local network', () => {
  it('takes none of 60 monitors down, and all of them recover with it', async () => {
    const [target, canary, second] = await Promise.all([server(), server(), server()]);
    await start([canary, second]);
    await createMany(60, target.url);
    await untilAll('up');
    const { id } = (await listed())[0]!;
    // On a busy machine there may be some failures from before.
    const [before, downBefore] = [await today(id), await count(`transitions WHERE to_status = 'down'`)];

    const goneAt = Date.now();
    await Promise.all([target.down(), canary.down(), second.down()]);
    await eventually(async () => expect(await networkAvailable()).toBe(0));
    await eventually(async () => {
      const seen = await count(`(SELECT monitor_id FROM checks WHERE error_code = 'network_unavailable'
                                 GROUP BY monitor_id HAVING count(*) >= 3) AS thrice`);
      expect(seen).toBe(60);
    }, 60_000);
    expect(new Set((await listed()).map(({ status }) => status))).not.toContain('down');
    // A state remains until the missing results are overdue.
    await untilAll('unknown');
    const [unknown] = await listChecks(api, id);
    expect(unknown).toMatchObject({ status: 'unknown', error: { code: 'network_unavailable' } });
    expect(unknown!.error!.message).toContain('connect_refused');

    await Promise.all([target.up(), canary.up(), second.up()]);
    const backAt = Date.now();
    await untilAll('up');
    await eventually(async () => expect(await networkAvailable()).toBe(1));
    const wrong = `SELECT checked_at, error_code FROM checks WHERE status = 'down' AND checked_at >= $1 LIMIT 3`;
    expect(await app.query(wrong, [new Date(goneAt)])).toEqual([]);
    expect(await count(`transitions WHERE to_status = 'down'`)).toBe(downBefore);
    const after = await today(id);
    const { downSeconds, incidentCount } = before;
    expect(after).toMatchObject({ downSeconds, incidentCount });
    const unknownSeconds = after.unknownSeconds - before.unknownSeconds;
    expect(unknownSeconds).toBeGreaterThan((backAt - goneAt) / 1_000 - 5);
    expect(unknownSeconds).toBeLessThan((Date.now() - goneAt) / 1_000 + 1);

    // From now on, failures are reported as usual.
    await target.down();
    await untilAll('down');
  }, 300_000);

  it('is not assumed while a canary responds: a failing target is reported down within the hold time', async () => {
    const [target, canary, dead] = await Promise.all([server(), server(), server()]);
    await start([dead, canary]);
    await createMany(5, target.url);
    await untilAll('up');
    await dead.down();
    const { id } = await createMonitor(api, { ...hasty(REFUSED), paused: true });
    const { value: found, tookMs } = await timed(() => checkNow(api, id));
    expect(found).toMatchObject({ status: 'down', error: { code: 'connect_refused' } });
    expect(tookMs).toBeLessThan(2_000 * PATIENCE);
    const { id: other } = await createMonitor(api, httpMonitor(REFUSED));
    expect(await untilStatus(api, other, 'down')).toMatchObject({ lastError: { code: 'connect_refused' } });
    expect(await networkAvailable()).toBe(1);
  }, 60_000);

  it('is not assumed while targets respond, even if no canary does', async () => {
    const [target, canary] = await Promise.all([server(), server()]);
    await start([canary]);
    await createMany(20, target.url);
    await untilAll('up');
    await canary.down();
    const { id } = await createMonitor(api, httpMonitor(REFUSED));
    const down = await untilStatus(api, id, 'down');
    expect(down).toMatchObject({ lastError: { code: 'connect_refused' } });
    expect(await networkAvailable()).toBe(1);
    expect(await count(`checks WHERE error_code = 'network_unavailable'`)).toBe(0);
    expect((await listed()).filter(({ status }) => status === 'up')).toHaveLength(20);
  }, 60_000);

  it('at the start takes no monitor down, and checks resume when the network is available', async () => {
    const [target, canary] = await Promise.all([server(), server()]);
    await Promise.all([target.down(), canary.down()]);
    await start([canary]);
    await createMany(3, target.url);
    await eventually(async () => {
      expect(await count(`checks WHERE error_code = 'network_unavailable'`)).toBeGreaterThanOrEqual(9);
    }, 30_000);
    expect(await count(`checks WHERE status = 'down'`)).toBe(0);
    expect(await count('transitions')).toBe(0);
    await Promise.all([target.up(), canary.up()]);
    await untilAll('up');
  }, 60_000);

  it('is not assumed because of canaries that have never responded once a target has', async () => {
    const [target, canary] = await Promise.all([server(), server()]);
    await canary.down();
    await start([canary]);
    await createMany(3, target.url);
    await untilAll('up');
    await target.down();
    await untilAll('down');
    expect(await networkAvailable()).toBe(1);
    expect(await count(`checks WHERE error_code = 'network_unavailable'`)).toBe(0);
  }, 60_000);

  it('does not delay passing checks or failures that prove a response', async () => {
    const [target, canary, standing] = await Promise.all([server(), server(), server()]);
    await start([canary]);
    await createMany(3, target.url);
    await untilAll('up');
    await Promise.all([target.down(), canary.down()]);
    await eventually(async () => expect(await networkAvailable()).toBe(0));
    const [passing, judged] = await Promise.all([
      createMonitor(api, { ...hasty(standing.url), paused: true }),
      createMonitor(api, { ...hasty(standing.url), expectedStatusCodes: [500], paused: true }),
    ]);
    expect(await checkNow(api, passing.id)).toMatchObject({ status: 'up', error: null });
    expect(await checkNow(api, judged.id)).toMatchObject({ status: 'down', error: { code: 'unexpected_status' } });
    expect((await getMonitor(api, passing.id)).status).toBe('paused');
  }, 60_000);

  it('is logged once, and so is its end', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'daywatch-network-'));
    const [target, canary] = await Promise.all([server(), server()]);
    const settings = { LOG_LEVEL: 'info', MIN_INTERVAL_SECONDS: '1', ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' };
    const service = await ServiceProcess.start(dataDir, { ...settings, CANARY_TARGETS: `127.0.0.1:${canary.port}` });
    closing.push(async () => {
      await service.end('SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
    });
    const lines = (text: string): number => service.log.split(text).length - 1;
    const made = await Promise.all(
      Array.from({ length: 5 }, () => service.call<MonitorDto>('POST', '/v1/monitors', hasty(target.url))),
    );
    const shown = async (): Promise<string[]> => {
      const answers = made.map(({ body }) => service.call<MonitorDto>('GET', `/v1/monitors/${body.id}`));
      return (await Promise.all(answers)).map(({ body }) => body.status);
    };
    const all = (status: string) =>
      eventually(async () => expect(new Set(await shown())).toEqual(new Set([status])), 20_000);
    await all('up');
    await Promise.all([target.down(), canary.down()]);
    await all('unknown');
    await Promise.all([target.up(), canary.up()]);
    await all('up');
    await eventually(() => expect(lines('the network is back')).toBe(1));
    expect(lines('the network is down')).toBe(1);
    expect(await service.end('SIGTERM')).toBe(0);
  }, 120_000);
});
