import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { CheckQueue } from '../src/modules/checker/check-queue.js';
import { type UptimeDto } from '../src/modules/uptime/dto/uptime.dto.js';
import { startApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { METRICS_TOKEN, scrape } from './support/metrics.js';
import { createMonitor, httpMonitor, listChecks, untilStatus } from './support/monitors.js';
import { strayResults } from './support/stray-results.js';
import { startTarget, type Target } from './support/target.js';

/** More than may wait for a database that answers: docs/adr/0015-overload.md. */
const TOO_MANY = 6_000;
/** Of checks each second. */
const SOME_SLOTS_MS = 3_500;

let app: TestApp;
let target: Target;
beforeAll(async () => {
  [app, target] = await Promise.all([startApp({ METRICS_TOKEN, METRICS_PORT: '0' }), startTarget()]);
});
afterAll(async () => {
  await app.close();
  await target.close();
});

const figure = async (name: string): Promise<number> => (await scrape(app)).value(`daywatch_${name}`);
const requests = (): number => target.requests('/').length;

it('begins no checks while results wait for a slow database, and goes on by itself', async () => {
  const api = app.api(app.teams.ours.write);
  const { id } = await createMonitor(api, httpMonitor(target.url('/')));
  const slow = httpMonitor(target.url('/slow'), { intervalSeconds: 60, timeoutMs: 20_000, paused: true });
  const asked = await createMonitor(api, slow);
  await untilStatus(api, id, 'up');

  const database = app.nest.get(DataSource).createQueryRunner();
  await database.startTransaction();
  await database.query('SET LOCAL idle_in_transaction_session_timeout = 0');
  // Rows can be read, and none be added.
  await database.query('LOCK TABLE checks IN SHARE MODE');
  await eventually(async () => expect(await figure('results_waiting')).toBeGreaterThan(0));
  await app.nest.get(CheckQueue, { strict: false }).sendResults(strayResults(TOO_MANY));
  await eventually(async () => expect(await figure('checks_running')).toBe(0));
  const before = requests();
  // What somebody asks for goes on, and takes some slots' time.
  const answered = new Promise<void>((resolve) => {
    target.behave('/slow', (response) => void setTimeout(() => response.end('ok', resolve), SOME_SLOTS_MS));
  });
  expect((await api.post(`/v1/monitors/${asked.id}/checks`)).status).toBe(202);
  await answered;
  expect(requests()).toBe(before);
  await eventually(async () => expect(await figure('results_waiting')).toBeGreaterThan(TOO_MANY));

  await database.commitTransaction();
  await database.release();
  await eventually(() => expect(requests()).toBeGreaterThan(before + 2));
  await eventually(async () => expect(await figure('results_waiting')).toBe(0));
  await eventually(async () => expect(await figure('slots_missed_total')).toBeGreaterThanOrEqual(2));
  const { totals } = (await api.get<UptimeDto>(`/v1/monitors/${id}/uptime?days=2`)).body;
  expect(totals).toMatchObject({ downSeconds: 0, incidentCount: 0 });
  expect(totals.unknownSeconds).toBeGreaterThan(1);
  expect(new Set((await listChecks(api, id)).map(({ status }) => status))).toEqual(new Set(['up']));
}, 60_000);
