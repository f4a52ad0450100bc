import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { type CheckQueueStateService } from '../src/modules/checker/check-queue-state.service.js';
import { type QueueFigures } from '../src/modules/checker/check-queue.js';
import { type NotificationWorker } from '../src/modules/notifications/notification-worker.service.js';
import { type WatchdogService } from '../src/modules/watchdog/watchdog.service.js';
import { startApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { METRICS_TOKEN, scrape } from './support/metrics.js';
import { createMonitor, httpMonitor, untilStatus } from './support/monitors.js';
import { useReceiver } from './support/receiver.js';
import { describeWithRedis } from './support/redis.js';
import { REDIS_URL, RedisSpace } from './support/redis-space.js';
import { startTarget, type Target } from './support/target.js';

const receiver = useReceiver();
let app: TestApp;
let target: Target;
let lateMs = 0;
beforeAll(async () => {
  // Channels may not reach the receiver, but the operator's own setting names it.
  [app, target] = await Promise.all([
    startApp({
      WATCHDOG_URL: `${receiver.origin}/beats?id=7`,
      METRICS_TOKEN,
      METRICS_PORT: '0',
      ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
      ALLOW_PRIVATE_CHANNELS: 'false',
    }),
    startTarget(),
  ]);
});
afterAll(async () => {
  await app.close();
  await target.close();
});

const watchdog = (of = app) => of.backstage.provider<WatchdogService>('WatchdogService');

/** Lets the watchdog of the service look, as if this much more time had passed since the start of the test. */
async function afterMs(ms: number): Promise<void> {
  lateMs += ms;
  await watchdog().look(Date.now() + lateMs);
}

const beats = (): string[] =>
  receiver.requests.map(({ method, path, query }) => `${method} ${path}?${query.toString()}`);
const count = async (outcome: string): Promise<number> =>
  (await scrape(app)).value('daywatch_watchdog_requests_total', { outcome });

/** Waits until the watchdog has counted one more request with this outcome. */
async function counts(outcome: string, act: () => Promise<void>): Promise<void> {
  const before = await count(outcome);
  await act();
  await eventually(async () => expect(await count(outcome)).toBe(before + 1));
}

/** Looks every 10 seconds of the service's time until the watchdog has been answered. */
async function isAnswered(): Promise<void> {
  const before = await count('answered');
  await eventually(async () => {
    await afterMs(10_000);
    await eventually(async () => expect(await count('answered')).toBeGreaterThan(before), 500);
  });
}

/** Lets several minutes pass, in which the watchdog must not be requested. */
async function isWithheld(): Promise<void> {
  await counts('withheld', () => afterMs(120_000));
  const before = await count('answered');
  receiver.answer({});
  for (let time = 0; time < 2; time += 1) await counts('withheld', () => afterMs(60_000));
  expect(await count('answered')).toBe(before);
  expect(receiver.requests).toEqual([]);
}

it('requests the address after the start, and again after a minute', async () => {
  await eventually(async () => expect(await count('answered')).toBe(1));
  await afterMs(20_000);
  expect(await count('answered')).toBe(1);
  receiver.answer({});
  await counts('answered', () => afterMs(40_000));
  expect(beats()).toEqual(['GET /beats?id=7']);
});

it('tries again after 10 seconds if the request fails', async () => {
  receiver.answer({ status: 500 });
  await counts('failed', () => afterMs(60_000));
  receiver.answer({ status: 302, headers: { location: `${receiver.origin}/elsewhere` } });
  await counts('failed', () => afterMs(10_000));
  expect(beats()).toEqual(['GET /beats?id=7']);
  receiver.answer('reset');
  await counts('failed', () => afterMs(10_000));
  receiver.answer({});
  await counts('answered', () => afterMs(10_000));
});

it('requests nothing while results are not recorded', async () => {
  const api = app.api(app.teams.ours.write);
  const { id } = await createMonitor(api, httpMonitor(target.url('/')));
  await untilStatus(api, id, 'up');
  await isAnswered();
  const pool = new Pool({ connectionString: app.databaseUrl });
  const lock = await pool.connect();
  await lock.query('BEGIN');
  await lock.query('LOCK TABLE checks IN ACCESS EXCLUSIVE MODE');
  try {
    await eventually(async () => {
      const figures = await scrape(app);
      expect(figures.value('daywatch_results_waiting') + figures.value('daywatch_spool_results')).toBeGreaterThan(0);
    });
    await isWithheld();
  } finally {
    await lock.query('ROLLBACK');
    lock.release();
    await pool.end();
  }
  await isAnswered();
  await api.post(`/v1/monitors/${id}/pause`, {});
});

it('requests nothing while a notification is due that no process sends', async () => {
  const [channelId, teamId] = [uuidv7(), app.teams.ours.id];
  await app.query(
    `INSERT INTO notification_channel_claims (channel_id, team_id, claimed_by, claimed_until)
     VALUES ($1, $2, gen_random_uuid(), now() + interval '1 hour')`,
    [channelId, teamId],
  );
  await app.query(
    `INSERT INTO notifications (id, team_id, key, alert_key, kind, event_id, monitor_ids, step, repeat, channel_id, status,
       due_at, next_attempt_at, created_at)
     VALUES ($1, $2, 'k', 'a', 'trigger', $1, '{}', 1, 0, $3, 'pending', now() - interval '301 seconds', now(), now())`,
    [uuidv7(), teamId, channelId],
  );
  await isWithheld();
  await app.query('UPDATE notification_channel_claims SET failing_since = now()');
  await isAnswered();
});

it('requests nothing while an event is not planned', async () => {
  await app.query(
    `WITH event AS (INSERT INTO events (id, team_id, era, transaction_id, type, occurred_at, recorded_at, actor_type,
       resource_type, resource_id, data)
     VALUES ($1::uuid, $2, 1, 1, 'incident.opened', now(), now() - interval '301 seconds', 'system', 'incident', $1::text, '{}')
     RETURNING *)
     INSERT INTO unplanned_events
     SELECT id, sequence, 1, now() + interval '1 hour', team_id, resource_type, resource_id FROM event`,
    [uuidv7(), app.teams.ours.id],
  );
  await isWithheld();
  await app.query('DELETE FROM unplanned_events');
  await isAnswered();
});

it('does not wait for notifications in a process that does not send any', async () => {
  const silent = await startApp({ WATCHDOG_URL: `${receiver.origin}/silent`, ROLES: 'api,dispatcher,worker,recorder' });
  try {
    await eventually(async () => expect((await watchdog(silent).figures()).answered).toBe(1));
    await watchdog(silent).look(Date.now() + 600_000);
    await eventually(async () => expect((await watchdog(silent).figures()).answered).toBe(2));
    expect(await silent.backstage.provider<NotificationWorker>('NotificationWorker').lookedAgoMs()).toBe(0);
  } finally {
    await silent.close();
  }
});

it('requests nothing while Redis does not respond, because no checks are made', async () => {
  const alone = await startApp({
    REDIS_URL: 'redis://127.0.0.1:9',
    ROLES: 'api,dispatcher,notifier',
    WATCHDOG_URL: `${receiver.origin}/alone`,
  });
  try {
    await eventually(async () => expect((await watchdog(alone).figures()).answered).toBe(1));
    await watchdog(alone).look(Date.now() + 150_000);
    await eventually(async () =>
      expect(await watchdog(alone).figures()).toEqual({ answered: 1, failed: 0, withheld: 1 }),
    );
  } finally {
    await alone.close();
  }
});

it('is requested by the dispatching process only, and by the one that takes over', async () => {
  const url = `${receiver.origin}/second`;
  const second = await startApp({ WATCHDOG_URL: url }, () => app.databaseUrl);
  try {
    for (let time = 1; time < 4; time += 1) await watchdog(second).look(Date.now() + time * 60_000);
    expect(await watchdog(second).figures()).toEqual({ answered: 0, failed: 0, withheld: 0 });
    await app.stop();
    await eventually(async () => expect((await watchdog(second).figures()).answered).toBe(1), 30_000);
    expect(beats()).toContain('GET /second?');
  } finally {
    await second.close();
  }
});

describeWithRedis('processes that share the work', () => {
  it('request nothing while nobody makes checks, or nobody records the results', async () => {
    const space = new RedisSpace();
    const settings = { REDIS_URL: REDIS_URL!, REDIS_PREFIX: space.prefix };
    const url = `${receiver.origin}/shared`;
    const first = await startApp({ ...settings, ROLES: 'api,dispatcher,notifier', WATCHDOG_URL: url });
    const others: TestApp[] = [];
    const start = async (ROLES: string) => others.push(await startApp({ ...settings, ROLES }, () => first.databaseUrl));
    const figures = () => watchdog(first).figures();
    const untilQueued = (kind: QueueFigures['queue']) =>
      eventually(async () => {
        const waiting = await first.backstage.provider<CheckQueueStateService>('CheckQueueStateService').waiting();
        expect(waiting.some(({ queue, batches }) => queue === kind && batches > 0)).toBe(true);
      });
    let passedMs = 0;
    const lookAfterMinutes = async (): Promise<void> => {
      passedMs += 150_000;
      await watchdog(first).look(Date.now() + passedMs);
    };
    const withholds = async (): Promise<void> => {
      const { answered, withheld } = await figures();
      await lookAfterMinutes();
      await eventually(async () => expect(await figures()).toMatchObject({ answered, withheld: withheld + 1 }));
    };
    try {
      await eventually(async () => expect(await figures()).toMatchObject({ answered: 1 }));
      await createMonitor(first.api(first.teams.ours.write), httpMonitor(target.url('/')));
      await untilQueued('checks');
      await withholds();
      await start('api,worker');
      await untilQueued('results');
      await withholds();
      await start('api,recorder');
      const { answered } = await figures();
      await eventually(async () => {
        await lookAfterMinutes();
        await eventually(async () => expect((await figures()).answered).toBeGreaterThan(answered), 1_000);
      });
    } finally {
      for (const one of [...others, first]) await one.close();
      await space.close();
    }
  });
});
