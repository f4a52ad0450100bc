import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { type MetricsService } from '../src/modules/metrics/metrics.service.js';
import { startApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { type Scrape } from './support/exposition.js';
import { METRICS_TOKEN, scrape } from './support/metrics.js';
import { checkNow, createMonitor, httpMonitor, untilStatus } from './support/monitors.js';
import { answers, startTarget, type Target } from './support/target.js';

const REQUESTS = 'daywatch_http_request_duration_seconds';

let app: TestApp;
let api: Client;
let target: Target;
beforeAll(async () => {
  const settings = { METRICS_TOKEN, METRICS_PORT: '0', METRICS_PER_MONITOR: 'true' };
  [app, target] = await Promise.all([startApp(settings), startTarget()]);
  api = app.api(app.teams.ours.write);
});
afterAll(async () => {
  await app.close();
  await target.close();
});

/** Defines a paused monitor, which is checked only on request. */
const quiet = (url: string): Record<string, unknown> => httpMonitor(url, { paused: true });

describe('metrics of checks', () => {
  it('increase by exactly the finished checks, by type, status and error', async () => {
    target.behave('/fails', answers(500));
    const [up, down, port] = await Promise.all([
      createMonitor(api, quiet(target.url('/passes'))),
      createMonitor(api, quiet(target.url('/fails'))),
      createMonitor(api, { name: 'port', type: 'tcp', host: '127.0.0.1', port: 9, intervalSeconds: 60, paused: true }),
    ]);
    const before = await scrape(app);
    for (const [monitor, times] of [[up, 5] as const, [down, 3] as const, [port, 2] as const]) {
      for (let time = 0; time < times; time += 1) await checkNow(api, monitor.id);
    }
    const after = await scrape(app);
    const rise = (name: string, labels: Record<string, string> = {}): number =>
      after.value(name, labels) - before.value(name, labels);

    expect(rise('daywatch_checks_total')).toBe(10);
    expect(rise('daywatch_checks_total', { type: 'http', status: 'up' })).toBe(5);
    expect(rise('daywatch_checks_total', { type: 'http', status: 'down' })).toBe(3);
    expect(rise('daywatch_checks_total', { type: 'tcp', status: 'down' })).toBe(2);
    expect(rise('daywatch_check_errors_total')).toBe(5);
    expect(rise('daywatch_check_errors_total', { code: 'unexpected_status' })).toBe(3);
    expect(rise('daywatch_check_errors_total', { code: 'connect_refused' })).toBe(2);
    expect(rise('daywatch_check_duration_seconds_count', { type: 'http' })).toBe(8);
    expect(rise('daywatch_check_duration_seconds_count', { type: 'tcp' })).toBe(2);
    expect(rise('daywatch_check_phase_duration_seconds_count', { phase: 'first_byte' })).toBe(8);
    expect(rise('daywatch_check_phase_duration_seconds_count', { phase: 'tls' })).toBe(0);
    expect(rise('daywatch_results_recorded_total')).toBe(10);
    expect(rise('daywatch_recording_batch_results_sum')).toBe(10);
    expect(rise('daywatch_recording_duration_seconds_count')).toBe(rise('daywatch_recording_batch_results_count'));
    // Manual checks do not belong to a schedule slot.
    expect(rise('daywatch_schedule_lag_seconds_count')).toBe(0);
  });

  it('match the stored results once all are recorded, with one lag per slot', async () => {
    const monitors = await Promise.all(
      Array.from({ length: 5 }, (_, index) => createMonitor(api, httpMonitor(target.url(`/each-second/${index}`)))),
    );
    const atSlots = `SELECT count(*)::int AS n FROM checks WHERE trigger = 'schedule' AND attempt = 0`;
    await eventually(async () => expect((await app.query<{ n: number }>(atSlots))[0]!.n).toBeGreaterThan(10));
    for (const { id } of monitors) await api.post(`/v1/monitors/${id}/pause`);
    await eventually(async () => {
      const figures = await scrape(app);
      for (const name of ['daywatch_checks_running', 'daywatch_checks_waiting', 'daywatch_results_waiting']) {
        expect({ name, value: figures.value(name) }).toEqual({ name, value: 0 });
      }
      const stored = await app.query<{ type: string; status: string; location: string; n: number }>(
        `SELECT type, status, location, count(*)::int AS n FROM checks JOIN monitors ON monitors.id = monitor_id
         GROUP BY 1, 2, 3`,
      );
      const told = figures
        .samples('daywatch_checks_total')
        .filter(({ value }) => value > 0)
        .map(({ labels, value }) => ({ ...labels, n: value }));
      expect(told).toHaveLength(stored.length);
      expect(told).toEqual(expect.arrayContaining(stored));
      const [{ n }] = (await app.query<{ n: number }>(atSlots)) as [{ n: number }];
      expect(figures.value('daywatch_schedule_lag_seconds_count')).toBe(n);
    });
  });

  it('report the connection pool and the schedule', async () => {
    const { id } = await createMonitor(api, httpMonitor(target.url('/scheduled')));
    await eventually(async () => expect((await scrape(app)).value('daywatch_monitors_scheduled')).toBe(1));
    await api.delete(`/v1/monitors/${id}`);
    const figures = await scrape(app);
    expect(figures.value('daywatch_dispatching')).toBe(1);
    expect(figures.value('daywatch_database_connections_max')).toBe(12);
    expect(figures.value('daywatch_database_connections', { state: 'busy' })).toBeGreaterThanOrEqual(1);
  });
});

describe('metrics of shared work', () => {
  it('show a process that does everything as the holder of all shards and the only worker, with nothing in queues', async () => {
    const figures = await eventually(async () => {
      const seen = await scrape(app);
      expect(seen.samples('daywatch_workers')).toEqual([
        { name: 'daywatch_workers', labels: { location: 'default' }, value: 1 },
      ]);
      return seen;
    });
    for (const role of ['dispatcher', 'recorder']) expect(figures.value('daywatch_shards_held', { role })).toBe(16);
    expect(figures.value('daywatch_workers_busy_ratio', { location: 'default' })).toBeGreaterThanOrEqual(0);
    expect(figures.value('daywatch_workers_busy_ratio', { location: 'default' })).toBeLessThanOrEqual(1);
    expect(figures.value('daywatch_location_lag_seconds', { location: 'default' })).toBeGreaterThanOrEqual(0);
    for (const queue of ['checks', 'results']) {
      expect(figures.value('daywatch_queue_delay_seconds', { queue, location: 'default' })).toBe(0);
    }
    expect(figures.value('daywatch_queue_check_batches', { location: 'default' })).toBe(0);
    expect(figures.value('daywatch_queue_result_batches')).toBe(0);
  });

  it('show that a location has no worker, unless it is disabled', async () => {
    const location = randomUUID();
    const workers = async (): Promise<number[]> =>
      (await scrape(app)).samples('daywatch_workers', { location }).map(({ value }) => value);
    await app.query('INSERT INTO locations (id, key, name) VALUES (gen_random_uuid(), $1, $1)', [location]);
    await eventually(async () => expect(await workers()).toEqual([0]));
    await app.query('UPDATE locations SET enabled = false WHERE key = $1', [location]);
    await eventually(async () => expect(await workers()).toEqual([]));
    await app.query('DELETE FROM locations WHERE key = $1', [location]);
  });
});

describe('metrics of requests', () => {
  it('are labelled by route template and status class', async () => {
    const labels = { method: 'GET', route: '/v1/monitors/:id', status_class: '4xx' };
    const before = (await scrape(app)).samples(`${REQUESTS}_count`, labels)[0]?.value ?? 0;
    for (let time = 0; time < 20; time += 1) await api.get(`/v1/monitors/${randomUUID()}?view=definition`);
    await eventually(async () => {
      expect((await scrape(app)).value(`${REQUESTS}_count`, labels)).toBe(before + 20);
    });
  });

  it('do not gain labels from arbitrary paths and methods', async () => {
    const wild = app.undocumented(app.teams.ours.read);
    const paths = (): string[] => [
      `/${randomUUID()}`,
      `/v1/${randomUUID()}/${randomUUID()}`,
      `/v1/monitors/${randomUUID()}/${randomUUID()}`,
      `/docs/${randomUUID()}.js`,
      `/status/${randomUUID()}`,
      `/%00${randomUUID()}`,
    ];
    const visit = async (): Promise<void> => {
      for (const path of paths()) for (const method of ['GET', 'DELETE', 'PROPFIND']) await wild.call(method, path);
    };
    const series = (figures: Scrape): string[] =>
      figures.samples(`${REQUESTS}_count`).map(({ labels }) => JSON.stringify(labels));
    const settled = (atLeast: number): Promise<string[]> =>
      eventually(async () => {
        const figures = await scrape(app);
        expect(figures.value(`${REQUESTS}_count`)).toBeGreaterThanOrEqual(atLeast);
        expect(figures.value('daywatch_http_requests_in_flight')).toBe(0);
        return series(figures);
      });
    const answered = (await scrape(app)).value(`${REQUESTS}_count`);
    await visit();
    const once = await settled(answered + 18);
    for (let time = 0; time < 20; time += 1) await visit();
    const often = await settled(answered + 21 * 18);
    expect(often).toEqual(once);
    expect(often).toContain(JSON.stringify({ method: 'other', route: 'unmatched', status_class: '4xx' }));
    expect(often.join()).not.toMatch(/[0-9a-f]{8}-/);
  });

  it('count a request that its client aborts', async () => {
    const hanging = await createMonitor(api, quiet(target.url('/hangs')));
    target.behave('/hangs', () => undefined);
    // Not with fetch: it replaces an aborted connection, and shutdown would wait for the first request on it.
    const asked = request(`${app.origin}/v1/monitors/${hanging.id}/checks?wait=true`, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.teams.ours.write}` },
    });
    asked.on('error', () => undefined).end();
    const inFlight = async (): Promise<number> => (await scrape(app)).value('daywatch_http_requests_in_flight');
    await eventually(async () => expect(await inFlight()).toBe(1));
    asked.destroy();
    const labels = { method: 'POST', route: '/v1/monitors/:id/checks', status_class: 'broken_off' };
    await eventually(async () => {
      expect(await inFlight()).toBe(0);
      expect((await scrape(app)).value(`${REQUESTS}_count`, labels)).toBe(1);
    });
  });
});

describe('metrics of each monitor', () => {
  it('report its latest check under its current labels, and disappear with it', async () => {
    const name = 'A "name" with a \\';
    target.behave('/watched', answers(200));
    const { id } = await createMonitor(api, { ...httpMonitor(target.url('/watched')), key: 'watched', name });
    const labels = { monitor: id, key: 'watched', name, team: 'Ours', type: 'http', location: 'default' };
    await eventually(async () => {
      const figures = await scrape(app);
      expect(figures.samples('probe_success', { monitor: id })).toEqual([{ name: 'probe_success', labels, value: 1 }]);
      expect(figures.value('probe_http_status_code', labels)).toBe(200);
      expect(figures.value('probe_duration_seconds', labels)).toBeGreaterThan(0);
      // The host is an IP address: there is no DNS lookup.
      expect(figures.samples('probe_dns_lookup_time_seconds', { monitor: id })).toEqual([]);
    });

    target.behave('/watched', (response) => void response.socket?.resetAndDestroy());
    await eventually(async () => {
      const figures = await scrape(app);
      expect(figures.value('probe_success', labels)).toBe(0);
      expect(figures.value('probe_http_status_code', labels)).toBe(0);
    });

    await api.patch(`/v1/monitors/${id}`, { name: 'Another' });
    await eventually(async () => {
      const [told] = (await scrape(app)).samples('probe_success', { monitor: id });
      expect(told?.labels.name).toBe('Another');
    });
    await app.query('UPDATE teams SET name = $2 WHERE id = $1', [app.teams.ours.id, 'Renamed']);
    await app.backstage.provider<MetricsService>('MetricsService').prune();
    const [renamed] = (await scrape(app)).samples('probe_success', { monitor: id });
    expect(renamed?.labels).toMatchObject({ name: 'Another', team: 'Renamed' });

    const told = async (): Promise<number> => (await scrape(app)).samples('probe_success', { monitor: id }).length;
    await api.post(`/v1/monitors/${id}/pause`);
    await eventually(async () => expect(await told()).toBe(0));
    await api.post(`/v1/monitors/${id}/resume`);
    await eventually(async () => expect(await told()).toBe(1));
    await api.delete(`/v1/monitors/${id}`);
    await eventually(async () => expect(await told()).toBe(0));
  });
});

describe('the ports of the service', () => {
  it.each(['the API', 'the metrics'])(
    'of %s are not reached by checks, although other ports of the host are',
    async (of) => {
      const origin = of === 'the API' ? app.origin : app.metricsOrigin!;
      const { id } = await createMonitor(api, quiet(`${origin}/healthz`));
      expect(await checkNow(api, id)).toMatchObject({ remoteAddress: null, error: { code: 'address_blocked' } });
      const trial = await api.post('/v1/monitors/test', quiet(`${origin}/healthz`));
      expect(trial.body).toMatchObject({ remoteAddress: null, error: { code: 'address_blocked' } });
      const other = await createMonitor(api, quiet(target.url('/beside')));
      expect(await checkNow(api, other.id)).toMatchObject({ remoteAddress: '127.0.0.1', error: null });
    },
  );
});

describe('a separate port for metrics', () => {
  const ask = (origin: string, path = '/metrics', init: RequestInit = {}): Promise<Response> =>
    fetch(origin + path, init);
  const bearer = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } });

  it('serves only metrics, and requires the token if one is configured', async () => {
    const origin = app.metricsOrigin!;
    expect(origin).not.toBe(app.origin);
    for (const init of [{}, bearer('another'), bearer(app.teams.ours.admin)]) {
      const answer = await ask(origin, '/metrics', init);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="daywatch"');
      expect(await answer.text()).not.toContain('daywatch_');
    }
    expect((await ask(origin, '/metrics?name=x', bearer(METRICS_TOKEN))).status).toBe(200);
    const head = await ask(origin, '/metrics', { ...bearer(METRICS_TOKEN), method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await ask(origin, '/v1/monitors', bearer(app.teams.ours.read))).status).toBe(404);
    expect((await ask(origin, '/healthz')).status).toBe(404);
    const post = await ask(origin, '/metrics', { ...bearer(METRICS_TOKEN), method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('is public without a configured token; the API port then serves no metrics', async () => {
    const open = await startApp({ METRICS_PORT: '0' });
    try {
      const { id } = await createMonitor(open.api(open.teams.ours.write), httpMonitor(target.url('/open')));
      await untilStatus(open.api(open.teams.ours.read), id, 'up');
      const answer = await ask(open.metricsOrigin!);
      expect(answer.status).toBe(200);
      const text = await answer.text();
      expect(text).toContain('daywatch_checks_total');
      expect(text).not.toMatch(new RegExp(`^probe_|${id}`, 'm'));
      expect((await open.api().get('/metrics')).status).toBe(404);
    } finally {
      await open.close();
    }
  });
});
