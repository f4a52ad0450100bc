import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CheckQueue } from '../src/modules/checker/check-queue.js';
import { type ResultIntakeService } from '../src/modules/checker/result-intake.service.js';
import { type UptimeDto } from '../src/modules/uptime/dto/uptime.dto.js';
import { OutageScene } from './live/outage.js';
import { startApp } from './support/app.js';
import { type DatabaseLink, linkTo } from './support/database-link.js';
import { CAN_MOUNT, mountDisk } from './support/disk.js';
import { eventually } from './support/eventually.js';
import { METRICS_TOKEN, scrape } from './support/metrics.js';
import { createMonitor, httpMonitor, untilStatus } from './support/monitors.js';
import { strayResults } from './support/stray-results.js';
import { startTarget } from './support/target.js';

/** Size of the spool volume: about fifty results. */
const DISK_KIB = 32;
/** Number of monitors, each checked every 2 seconds. */
const MONITORS = 50;
const AWAY_MS = 3_000;
const PATIENCE_MS = 60_000;

let closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  closing = [];
});

(CAN_MOUNT ? describe : describe.skip)('a full disk during a database outage (requires root)', () => {
  it(
    'stops neither the service nor the recording: results that do not fit on the disk wait in memory',
    async () => {
      const scene = await OutageScene.open(MONITORS);
      closing.push(() => scene.close());
      closing.push(await mountDisk(join(scene.dataDir, 'spool'), DISK_KIB));
      const { cluster, running } = scene;
      const report = await scene.absence(AWAY_MS, {
        gone: () => cluster.kill(),
        back: async () => {
          await eventually(() => expect(running.log).toContain('results stay in memory'));
          await cluster.start();
        },
      });
      expect(report).toMatchObject({
        lost: 0,
        surplus: 0,
        miscounted: 0,
        falseDown: 0,
        falseIncidents: 0,
        absences: 0,
      });
      expect(report.spooled).toBeGreaterThan(0);
      expect(Object.keys(report.answers)).toEqual(['503']);
      expect(report.servedAgainMs).toBeLessThan(30_000);
      expect(report.recordedAgainMs).toBeLessThan(30_000);
    },
    10 * PATIENCE_MS,
  );

  it(
    'drops and counts results only when memory is full too, and reports their time as unknown',
    async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'daywatch-disk-'));
      closing.push(() => rm(dataDir, { recursive: true }), await mountDisk(dataDir, DISK_KIB));
      let link!: DatabaseLink;
      const settings = { DATA_DIR: dataDir, METRICS_TOKEN, METRICS_PORT: '0' };
      const app = await startApp(settings, async (url) => (link = await linkTo(url)).url);
      const target = await startTarget();
      closing.push(
        () => target.close(),
        () => link.cut(),
        () => app.close(),
      );
      const figures = () => app.backstage.provider<ResultIntakeService>('ResultIntakeService').figures();
      const api = app.api(app.teams.ours.write);
      const { id } = await createMonitor(api, httpMonitor(target.url('/')));
      await untilStatus(api, id, 'up');

      await link.cut();
      await eventually(async () => expect((await figures()).spooled).toBeGreaterThan(1));
      const queue = app.backstage.provider<CheckQueue>('CheckQueue');
      let requestsBefore = 0;
      while ((await figures()).dropped === 0) {
        requestsBefore = target.requests('/').length;
        // Of the same team: which team's results are dropped depends on whose fair share is being written.
        await queue.sendResults(strayResults(1_000, app.teams.ours.id));
      }
      const { dropped: stray } = await figures();
      // Results that arrived between these two calls, or were in transit, may have been dropped with the stray ones.
      const ambiguous = target.requests('/').length - requestsBefore + 1;
      await eventually(async () => expect((await figures()).dropped).toBeGreaterThan(stray + 3));
      expect((await api.get(`/v1/monitors/${id}`)).status).toBe(503);
      expect((await api.get('/healthz')).status).toBe(200);

      await link.restore();
      const settled = { waiting: 0, spooled: 0 };
      await eventually(async () => expect(await figures()).toMatchObject(settled), PATIENCE_MS);
      await untilStatus(api, id, 'up');
      await api.post(`/v1/monitors/${id}/pause`);
      const checks = await eventually(async () => {
        const told = await scrape(app);
        expect(told.value('daywatch_checks_running')).toBe(0);
        expect(await figures()).toMatchObject(settled);
        const dropped = told.value('daywatch_results_dropped_total');
        const rows = await app.query<{ status: string }>('SELECT status FROM checks WHERE monitor_id = $1', [id]);
        // A result in transit from the thread that produced it is counted neither as running nor as waiting.
        const kept = target.requests('/').length - (dropped - stray);
        expect(rows.length).toBeLessThanOrEqual(kept);
        expect(rows.length).toBeGreaterThanOrEqual(kept - ambiguous);
        return rows;
      });
      expect(new Set(checks.map(({ status }) => status))).toEqual(new Set(['up']));
      const { totals } = (await api.get<UptimeDto>(`/v1/monitors/${id}/uptime?days=2`)).body;
      expect(totals).toMatchObject({ downSeconds: 0, incidentCount: 0 });
      expect(totals.unknownSeconds).toBeGreaterThan(3);
    },
    3 * PATIENCE_MS,
  );
});
