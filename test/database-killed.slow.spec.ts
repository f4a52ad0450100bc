import { afterEach, describe, expect, it } from '@jest/globals';
import { OutageScene } from './live/outage.js';
import { eventually } from './support/eventually.js';
import { type OwnCluster } from './support/own-cluster.js';

/** Numbers of monitors, each checked every 2 seconds: 200 results per second, or 50 if the load does not matter. */
const MANY = 400;
const SOME = 100;
const AWAY_MS = 4_000;
const PATIENCE_MS = 600_000;

let scene: OutageScene | undefined;
afterEach(async () => {
  await scene?.close();
  scene = undefined;
});

const asIfNothingHadHappened = { lost: 0, surplus: 0, miscounted: 0, falseDown: 0, falseIncidents: 0, absences: 0 };

/** Waits until the lease of the ended process has expired and its successor has recorded the absence. */
const untilItDispatches = (cluster: OwnCluster): Promise<void> =>
  eventually(async () => {
    expect(await cluster.query(`SELECT 1 FROM spans WHERE kind = 'absence'`)).toHaveLength(1);
  }, 60_000);

describe('a service whose database is unavailable while it checks', () => {
  it(
    'loses and duplicates none of 200 results per second when the database is killed and restarted',
    async () => {
      scene = await OutageScene.open(MANY);
      const { cluster } = scene;
      const report = await scene.absence(AWAY_MS, { gone: () => cluster.kill(), back: () => cluster.start() });
      expect(report).toMatchObject(asIfNothingHadHappened);
      expect(Object.keys(report.answers)).toEqual(['503']);
      expect(report.slowestAnswerMs).toBeLessThan(20_000);
      expect(report.servedAgainMs).toBeLessThan(30_000);
      expect(report.recordedAgainMs).toBeLessThan(30_000);
      expect(report.spooled).toBeGreaterThan(MANY);
    },
    PATIENCE_MS,
  );

  it(
    'does the same with a database that hangs, and still responds to requests',
    async () => {
      scene = await OutageScene.open(SOME);
      const { cluster } = scene;
      const report = await scene.absence(3 * AWAY_MS, { gone: () => cluster.freeze(), back: () => cluster.thaw() });
      expect(report).toMatchObject(asIfNothingHadHappened);
      expect(Object.keys(report.answers)).toEqual(['503']);
      expect(report.slowestAnswerMs).toBeLessThan(20_000);
      expect(report.servedAgainMs).toBeLessThan(30_000);
      expect(report.recordedAgainMs).toBeLessThan(30_000);
      expect(report.spooled).toBeGreaterThan(SOME);
    },
    PATIENCE_MS,
  );

  it(
    'recovers its spool after being killed itself, and records only the time since as an absence',
    async () => {
      scene = await OutageScene.open(SOME);
      const { cluster } = scene;
      await cluster.kill();
      await eventually(async () => expect((await scene!.spooled()).length).toBeGreaterThan(2 * SOME));
      await scene.running.end('SIGKILL');
      const spooled = await scene.spooled();
      const killedAt = Date.now();
      await cluster.start();
      await scene.restart();
      await scene.untilReplayed(120_000);
      await untilItDispatches(cluster);
      await scene.end();

      const stored = await cluster.query<{ key: string }>(
        `SELECT concat_ws('/', monitor_id, floor(extract(epoch FROM scheduled_at) * 1000)::bigint, attempt) AS key FROM checks`,
      );
      const keys = new Set(stored.map((row) => row.key));
      expect(keys.size).toBe(stored.length);
      const missing = spooled.filter(
        ({ monitorId, scheduledAt, attempt }) => !keys.has(`${monitorId}/${scheduledAt}/${attempt}`),
      );
      expect(missing).toEqual([]);
      expect(await scene.count()).toMatchObject({ surplus: 0, miscounted: 0, falseDown: 0, absences: 1 });
      const [absence] = await cluster.query<{ starts_at: Date }>(`SELECT starts_at FROM spans WHERE kind = 'absence'`);
      // The absence starts at the kill, not at the loss of the database: the service checked until then.
      expect(absence!.starts_at.getTime()).toBeGreaterThan(killedAt - 2_500);
    },
    PATIENCE_MS,
  );

  it(
    'leaves its spool to the next start when it is stopped during the outage',
    async () => {
      scene = await OutageScene.open(SOME);
      const { cluster } = scene;
      await cluster.kill();
      await eventually(async () => expect((await scene!.spooled()).length).toBeGreaterThan(SOME));
      const stoppedAt = performance.now();
      await scene.end();
      expect(performance.now() - stoppedAt).toBeLessThan(30_000);
      await cluster.start();
      await scene.restart();
      await scene.untilReplayed(120_000);
      await untilItDispatches(cluster);
      await scene.end();
      // No check was running when it stopped, and no earlier result is missing.
      expect(await scene.count()).toMatchObject({ ...asIfNothingHadHappened, absences: 1 });
    },
    PATIENCE_MS,
  );
});
