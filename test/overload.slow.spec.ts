import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client as Database } from 'pg';
import { type CheckQueue } from '../src/modules/checker/check-queue.js';
import { type UptimeDto } from '../src/modules/uptime/dto/uptime.dto.js';
import { startApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { METRICS_TOKEN, scrape } from './support/metrics.js';
import { createMonitor, httpMonitor, listChecks, untilStatus } from './support/monitors.js';
import { startSteadyTarget, type SteadyTarget } from './support/steady-target.js';
import { strayResults } from './support/stray-results.js';
import { startTarget, type Target } from './support/target.js';

/** More results than may wait for a responding database, see docs/adr/0015-overload.md. */
const TOO_MANY = 6_000;
/** Duration of several slots of a monitor that is checked every second. */
const SOME_SLOTS_MS = 3_500;

let app: TestApp;
let steady: SteadyTarget;
let slow: Target;
beforeAll(async () => {
  const settings = { METRICS_TOKEN, METRICS_PORT: '0' };
  [app, steady, slow] = await Promise.all([startApp(settings), startSteadyTarget(), startTarget()]);
});
afterAll(async () => {
  await app.close();
  await steady.close();
  await slow.close();
});

const figure = async (name: string): Promise<number> => (await scrape(app)).value(`daywatch_${name}`);

it('the service starts no scheduled checks while results wait for a slow database, and resumes by itself', async () => {
  const api = app.api(app.teams.ours.write);
  const { id } = await createMonitor(api, httpMonitor(steady.url));
  const patient = { intervalSeconds: 60, timeoutMs: 20_000, paused: true };
  const asked = await createMonitor(api, httpMonitor(slow.url('/'), patient));
  await untilStatus(api, id, 'up');

  const database = new Database({ connectionString: app.databaseUrl });
  await database.connect();
  await database.query('BEGIN');
  await database.query('SET LOCAL idle_in_transaction_session_timeout = 0');
  // Rows can be read, but not added.
  await database.query('LOCK TABLE checks IN SHARE MODE');
  await eventually(async () => expect(await figure('results_waiting')).toBeGreaterThan(0));
  await app.backstage.provider<CheckQueue>('CheckQueue').sendResults(strayResults(TOO_MANY));
  await eventually(async () => expect(await figure('checks_running')).toBe(0));
  const before = await steady.requests();
  // A requested check still runs, and lasts for several slots.
  const answered = new Promise<void>((resolve) => {
    slow.behave('/', (response) => void setTimeout(() => response.end('ok', resolve), SOME_SLOTS_MS));
  });
  expect((await api.post(`/v1/monitors/${asked.id}/checks`)).status).toBe(202);
  await answered;
  expect(await steady.requests()).toBe(before);
  await eventually(async () => expect(await figure('results_waiting')).toBeGreaterThan(TOO_MANY));

  await database.query('COMMIT');
  await database.end();
  await eventually(async () => expect(await steady.requests()).toBeGreaterThan(before + 2));
  await eventually(async () => expect(await figure('results_waiting')).toBe(0));
  await eventually(async () => expect(await figure('slots_missed_total')).toBeGreaterThanOrEqual(2));
  const { totals } = (await api.get<UptimeDto>(`/v1/monitors/${id}/uptime?days=2`)).body;
  expect(totals).toMatchObject({ downSeconds: 0, incidentCount: 0 });
  expect(totals.unknownSeconds).toBeGreaterThan(1);
  expect((await listChecks(api, id)).map(({ status }) => status)).not.toContain('down');
}, 60_000);
