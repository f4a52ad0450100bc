import { afterEach, describe, expect, it } from '@jest/globals';
import { OutageScene } from './live/outage.js';
import { eventually } from './support/eventually.js';
import { type OwnCluster } from './support/own-cluster.js';

/** Checked every 2 seconds each: 200 results a second, and 50 where their number does not matter. */
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

/** The lease of a process that is gone ends by itself; who takes it over notes the time in which nobody checked. */
const untilItDispatches = (cluster: OwnCluster): Promise<void> =>
  eventually(async () => {
    expect(await cluster.query(`SELECT 1 FROM spans WHERE kind = 'absence'`)).toHaveLength(1);
  }, 60_000);

describe('a service whose database is gone while it checks', () => {
  it(
    'loses none of 200 results a second and counts none twice when it is killed, and goes on when it is back',
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
    'does the same with a database that stands still, and lets no caller wait for it',
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
    'finds after a kill of its own what it has spooled, and counts only the time since as absence',
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
      // Not since the database went: until it was killed the service went on.
      expect(absence!.starts_at.getTime()).toBeGreaterThan(killedAt - 2_500);
    },
    PATIENCE_MS,
  );

  it(
    'leaves what is spooled to the next start when it is stopped while its database is away',
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
      // Nothing was under way when it ended, and nothing since is missing.
      expect(await scene.count()).toMatchObject({ ...asIfNothingHadHappened, absences: 1 });
    },
    PATIENCE_MS,
  );
});
