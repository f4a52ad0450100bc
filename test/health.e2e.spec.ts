import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type SlotClockService } from '../src/modules/checker/slot-clock.service.js';
import { type ReadyDto } from '../src/modules/health/dto/health.dto.js';
import { startApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { createMonitor, httpMonitor, untilStatus } from './support/monitors.js';
import { ON_REDIS } from './support/redis-space.js';
import { startTarget, type Target } from './support/target.js';

const TOKEN = 'a token for metrics';

let app: TestApp;
let target: Target;
beforeAll(async () => {
  [app, target] = await Promise.all([startApp({ METRICS_TOKEN: TOKEN }), startTarget()]);
});
afterAll(async () => {
  await app.close();
  await target.close();
});

const parts = (database: string, writes: string) => [
  { name: 'database', status: database, detail: null },
  { name: 'writes', status: writes, detail: null },
  { name: 'clock', status: 'ok', detail: null },
  ...(ON_REDIS ? [{ name: 'redis', status: 'ok', detail: null }] : []),
];

/** Lets the database accept or reject writes; without them it behaves as with a full disk: reads still work. */
async function takeWrites(taken: boolean): Promise<void> {
  await app.query(
    `SET TRANSACTION READ WRITE;
     DO $$ BEGIN
       EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = ${String(!taken)}', current_database());
     END $$`,
  );
  await app.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
}

describe('health', () => {
  it('is reported without a key, and with an invalid one', async () => {
    expect(await app.api().get('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect((await app.api('not a key').get('/healthz')).status).toBe(200);
  });

  it('lists the parts that requests depend on', async () => {
    const { status, body } = await app.api().get('/readyz');
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: 'ok', parts: parts('ok', 'ok') },
    });
  });

  it('reports writes as failing while the database is read-only', async () => {
    const api = app.api(app.teams.ours.write);
    const definition = httpMonitor('https://shop.example/', { paused: true });
    await takeWrites(false);
    // The first responses may be 503 because their connection has just been terminated.
    await eventually(async () => {
      expect((await api.post('/v1/monitors', definition)).status).toBe(503);
      const { status, body } = await app.api().get('/readyz');
      expect({ status, body }).toEqual({ status: 503, body: { status: 'failing', parts: parts('ok', 'failing') } });
    });
    expect((await api.get('/v1/monitors')).status).toBe(200);
    await takeWrites(true);
    await eventually(async () => expect((await api.post('/v1/monitors', definition)).status).toBe(201));
    await eventually(async () => expect((await app.api().get('/readyz')).status).toBe(200));
  });
});

describe('a system clock that was set back by an hour', () => {
  let set: TestApp;
  beforeAll(async () => {
    set = await startApp({ METRICS_TOKEN: TOKEN });
    // The state left by an earlier process before the clock was set back.
    await set.backstage.provider<SlotClockService>('SlotClockService').startAfter(Date.now() + 3_600_000);
  });
  afterAll(() => set.close());

  it('is reported by /readyz as a warning, with status 200', async () => {
    const { status, body } = await set.api().get<ReadyDto>('/readyz');
    expect({ status, is: body.status }).toEqual({ status: 200, is: 'ok' });
    expect(body.parts.find(({ name }) => name === 'clock')).toEqual({
      name: 'clock',
      status: 'warning',
      detail: expect.stringMatching(
        /^The (system clock|clock of the database) was set back: check timestamps are 3[56]\d\d s ahead of it\.$/,
      ),
    });
  });

  it('is reported as a metric', async () => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const { body } = await set.api().call<string>('GET', '/metrics', { headers });
    const ahead = Number(/^daywatch_clock_ahead_seconds (.+)$/m.exec(body)?.[1]);
    expect(ahead).toBeGreaterThan(3_500);
    expect(ahead).toBeLessThanOrEqual(3_600);
  });
});

describe('metrics', () => {
  const scrape = (authorization?: string) =>
    app.api().call<string>('GET', '/metrics', { headers: authorization ? { authorization } : {} });

  it('require the metrics token and reject API keys', async () => {
    for (const authorization of [undefined, 'Bearer x', `Bearer ${app.teams.ours.admin}`, `Basic ${TOKEN}`]) {
      const { status, headers } = await scrape(authorization);
      expect({ authorization, status }).toEqual({ authorization, status: 401 });
      expect(headers.get('www-authenticate')).toBe('Bearer realm="daywatch"');
    }
  });

  it('count monitors and results', async () => {
    const { id } = await createMonitor(app.api(app.teams.ours.write), httpMonitor(target.url('/')));
    await untilStatus(app.api(app.teams.ours.read), id, 'up');
    const { status, headers, body } = await scrape(`Bearer ${TOKEN}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/plain/);
    const value = (name: string): number => Number(new RegExp(`^${name} (.+)$`, 'm').exec(body)?.[1]);
    expect(value('daywatch_dispatching')).toBe(1);
    expect(value('daywatch_monitors_scheduled')).toBe(1);
    expect(value('daywatch_results_recorded_total')).toBeGreaterThanOrEqual(1);
    expect(body).not.toContain(id);
  });
});
