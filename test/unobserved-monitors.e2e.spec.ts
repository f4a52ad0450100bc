import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DAY_MS, MINUTE_MS } from '../src/domain/durations.js';
import { type Page } from '../src/http/lists/page.js';
import { type EventDto } from '../src/modules/events/dto/event.dto.js';
import { type UnobservedMonitorsService } from '../src/modules/monitors/state/unobserved-monitors.service.js';
import { type NotificationDto } from '../src/modules/notifications/dto/notification.dto.js';
import { startApp, type TestApp } from './support/app.js';
import { type TestTeam } from './support/backstage.js';
import { putChannel } from './support/channels.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { checkNow, createMonitor, httpMonitor, untilStatus } from './support/monitors.js';
import { createPolicy } from './support/notifications.js';
import { useReceiver } from './support/receiver.js';
import { startTarget } from './support/target.js';

const receiver = useReceiver();
// Of its own, because a sweep concerns the monitors of all teams.
let app: TestApp;
let team: TestTeam;
let api: Client;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ({ team, api } = await makeTeam());
});

/** Creates a team whose channel `hook` is notified of all monitors that are not observed. */
async function makeTeam(): Promise<{ team: TestTeam; api: Client }> {
  const made = await app.backstage.makeTeam('Blind');
  const client = app.api(made.write);
  await subscribe(client, made, 'hook', { on: ['unknown'] });
  return { team: made, api: client };
}

async function subscribe(client: Client, { id }: TestTeam, key: string, more: object): Promise<void> {
  await putChannel(client, key, { settings: { url: `${receiver.origin}/${id}/${key}` } });
  const steps = [{ afterSeconds: 0, channelIds: [`key:${key}`] }];
  await createPolicy(client, { name: key, steps, ...more });
}

/** Creates a monitor that is up and whose next check is far away. */
async function observed(name: string, client = api, more: object = {}): Promise<string> {
  const definition = httpMonitor(`${receiver.origin}/target`, { name, intervalSeconds: 3_600, ...more });
  const { id } = await createMonitor(client, definition);
  await checkNow(client, id);
  await untilStatus(client, id, 'up');
  return id;
}

/** Lets results of monitors be missing for some minutes; with a cause, their latest check returned this error. */
async function lose(ids: string[], minutes: number, cause: string | null = null): Promise<void> {
  await app.query(
    `UPDATE monitor_states SET status = 'unknown', status_since = now() - $2 * interval '1 minute', version = version + 1
     WHERE monitor_id = ANY($1::uuid[])`,
    [ids, minutes],
  );
  if (cause === null) return;
  await app.query(
    `INSERT INTO checks (monitor_id, scheduled_at, location, attempt, checked_at, trigger, status, monitor_revision,
       interval_seconds, error_code, error_message)
     SELECT DISTINCT ON (monitor_id) monitor_id, scheduled_at, location, -9, checked_at + interval '1 ms', trigger,
       'unknown', monitor_revision, interval_seconds, $2, $2
     FROM checks WHERE monitor_id = ANY($1::uuid[]) ORDER BY monitor_id, checked_at DESC`,
    [ids, cause],
  );
  await app.query(
    `UPDATE location_states l SET last_check_at = (SELECT max(checked_at) FROM checks c WHERE c.monitor_id = l.monitor_id)
     WHERE monitor_id = ANY($1::uuid[])`,
    [ids],
  );
}

/** Does what the service does every five seconds, after it has checked without interruption for this long. */
const sweep = (watchedMs = DAY_MS): Promise<void> =>
  app.backstage
    .provider<UnobservedMonitorsService>('UnobservedMonitorsService')
    .sweep(Date.now(), Date.now() - watchedMs);

/** Returns what was recorded, oldest first, as type and name of each event. */
async function recorded(of: TestTeam = team): Promise<string[]> {
  const rows = await app.query<{ type: string; resource_name: string }>(
    `SELECT type, resource_name FROM events WHERE team_id = $1 AND (type LIKE 'checking.%' OR type = 'monitor.unknown'
       OR data ->> 'previousStatus' = 'unknown') ORDER BY sequence`,
    [of.id],
  );
  return rows.map((row) => `${row.type} ${row.resource_name}`);
}

interface Payload {
  type: string;
  data: { subject: string; impact: string; note: string | null; monitors: { name: string }[] };
}
const payloads = (key = 'hook', of = team): Payload[] => receiver.bodiesAt(`/${of.id}/${key}`);
const received = (key?: string, of?: TestTeam): string[] =>
  payloads(key, of).map(({ type, data }) => `${type} | ${data.subject}`);
/** Waits until all that was recorded is planned, and nothing is left to be sent. */
async function settled(): Promise<void> {
  await eventually(async () => {
    const rows = await app.query(
      `SELECT 1 FROM unplanned_events UNION ALL SELECT 1 FROM notifications WHERE next_attempt_at IS NOT NULL`,
    );
    expect(rows).toEqual([]);
  });
}

describe('a monitor that is not observed', () => {
  it('is reported after five minutes, once, and when it is observed again', async () => {
    const id = await observed('Shop');
    await subscribe(api, team, 'other', { on: ['down', 'degraded', 'location_offline'] });
    await lose([id], 4.9);
    await sweep();
    expect(await recorded()).toEqual([]);
    await lose([id], 5.1);
    await sweep();
    await sweep();
    const event = await eventually(async () => {
      const { body } = await app.api(team.read).get<Page<EventDto>>('/v1/events?type=monitor.unknown');
      expect(body.data).toHaveLength(1);
      return body.data[0]!;
    });
    expect(event).toMatchObject({
      resource: { type: 'monitor', id, name: 'Shop' },
      actor: { type: 'system' },
      data: {
        status: 'unknown',
        previousStatus: 'up',
        cause: { errorCode: 'no_results', message: 'No check has returned a result.' },
        startedAt: event.occurredAt,
        groupId: event.id,
      },
    });
    await settled();
    expect(received()).toEqual([expect.stringMatching(/^unknown\.trigger \| NO DATA Shop since \d\d:\d\d UTC$/)]);
    expect(payloads()[0]!.data).toMatchObject({ impact: 'unknown', note: 'No check has returned a result.' });

    await checkNow(api, id);
    await sweep();
    await sweep();
    await settled();
    expect(received().slice(1)).toEqual([
      expect.stringMatching(/^unknown\.resolve \| DATA RESUMED Shop: was without data for 5 min \(/),
    ]);
    expect(await recorded()).toEqual(['monitor.unknown Shop', 'monitor.up Shop']);
    expect(received('other')).toEqual([]);
    const { body } = await api.get<Page<NotificationDto>>(`/v1/notifications?monitorId=${id}`);
    expect(body.data.map(({ kind, status }) => `${kind} ${status}`).sort()).toEqual(['resolve sent', 'trigger sent']);
  });

  it('is reported again when it is lost again', async () => {
    const id = await observed('Shop');
    for (const count of [1, 2]) {
      await lose([id], 6);
      await sweep();
      await settled();
      expect(received()).toHaveLength(2 * count - 1);
      await checkNow(api, id);
      await sweep();
      await settled();
    }
    expect(received()).toHaveLength(4);
  });

  it('is not recorded as down twice if that is how it is found again', async () => {
    const id = await observed('Shop', api, { failureThreshold: 1 });
    await lose([id], 6);
    await sweep();
    await settled();
    expect(received()).toHaveLength(1);
    receiver.answer(({ path }) => (path === '/target' ? { status: 503 } : {}));
    await checkNow(api, id);
    await untilStatus(api, id, 'down');
    receiver.answer({});
    await sweep();
    expect(await recorded()).toEqual(['monitor.unknown Shop', 'monitor.down Shop']);
    await settled();
    expect(received().at(-1)).toMatch(/^unknown\.resolve /);
  });

  it('is not reported as degraded again if it was degraded before', async () => {
    const slow = await startTarget();
    try {
      slow.behave('/', (response) => void setTimeout(() => response.end(), 100));
      await subscribe(api, team, 'slow', { on: ['degraded'] });
      const rare = { name: 'Shop', intervalSeconds: 3_600, timeoutMs: 10_000, degradedAfterMs: 20 };
      const { id } = await createMonitor(api, httpMonitor(slow.url('/'), rare));
      await untilStatus(api, id, 'degraded');
      await lose([id], 6);
      await sweep();
      await settled();
      expect(received()).toHaveLength(1);
      await checkNow(api, id);
      await untilStatus(api, id, 'degraded');
      await sweep();
      await settled();
      expect(await recorded()).toEqual(['monitor.unknown Shop', 'monitor.degraded Shop']);
      expect(payloads('slow').map(({ type }) => type)).toEqual(['degraded.trigger']);
      expect(received().at(-1)).toMatch(/^unknown\.resolve /);
    } finally {
      await slow.close();
    }
  });

  it.each<[string, (id: string) => Promise<unknown>, string]>([
    ['paused', (id) => api.post(`/v1/monitors/${id}/pause`), 'The monitor was paused.'],
    ['deleted', (id) => api.delete(`/v1/monitors/${id}`), 'The monitor was deleted.'],
  ])('is no longer reported once it is %s', async (_, leave, note) => {
    const id = await observed('Shop');
    await lose([id], 6);
    await sweep();
    await settled();
    await leave(id);
    await sweep();
    await settled();
    expect(payloads().map(({ type, data }) => [type, data.note])).toEqual([
      ['unknown.trigger', 'No check has returned a result.'],
      ['unknown.resolve', note],
    ]);
    expect(await recorded()).toEqual(['monitor.unknown Shop']);
  });

  it('is not reported in maintenance, or within five minutes of its end', async () => {
    const id = await observed('Shop');
    const { body } = await api.post<{ id: string }>('/v1/maintenance-windows', { name: 'Work', monitorIds: [id] });
    await api.post(`/v1/maintenance-windows/${body.id}/start`, { durationSeconds: 3_600 });
    await sweep();
    await api.post(`/v1/maintenance-windows/${body.id}/end`);
    await lose([id], 20);
    await sweep();
    expect(await recorded()).toEqual([]);
    await app.query(
      `UPDATE spans SET starts_at = starts_at - interval '6 minutes', ends_at = ends_at - interval '6 minutes'
       WHERE monitor_id = $1 AND kind = 'maintenance'`,
      [id],
    );
    await sweep();
    expect(await recorded()).toEqual(['monitor.unknown Shop']);
  });

  it('is not reported for the time of an absence of the service, nor before its next regular check', async () => {
    const id = await observed('Shop');
    await lose([id], 600);
    await sweep(0);
    await sweep(60 * MINUTE_MS);
    await sweep(64.9 * MINUTE_MS);
    expect(await recorded()).toEqual([]);
    await sweep(65.1 * MINUTE_MS);
    expect(await recorded()).toEqual(['monitor.unknown Shop']);
  });
});

describe('monitors that are not observed for the same cause', () => {
  it('are one alert, which later ones join, and which ends when the last of them is observed', async () => {
    const ids = [await observed('A'), await observed('B'), await observed('C'), await observed('D')];
    const [a, b, c, d] = ids as [string, string, string, string];
    await lose([a, b], 6);
    await lose([c], 4.5);
    await sweep();
    await settled();
    expect(payloads()).toHaveLength(1);
    expect(
      payloads()[0]!
        .data.monitors.map(({ name }) => name)
        .sort(),
    ).toEqual(['A', 'B', 'C']);

    await lose([d], 6);
    await sweep();
    await settled();
    expect((await recorded()).sort()).toEqual(['A', 'B', 'C', 'D'].map((name) => `monitor.unknown ${name}`));
    for (const id of [a, b, c]) await checkNow(api, id);
    await sweep();
    await settled();
    expect(received()).toHaveLength(1);
    // It has left the group, and joins it again.
    await lose([a], 6);
    await sweep();
    await checkNow(api, d);
    await sweep();
    await settled();
    expect(received()).toHaveLength(1);

    await api.delete(`/v1/monitors/${a}`);
    await sweep();
    await settled();
    expect(received().slice(1)).toEqual([expect.stringMatching(/^unknown\.resolve \| DATA RESUMED .* and 3 more /)]);
  });

  it('notify the policies that match any of them, also one that joins', async () => {
    const [shop, blog] = [
      await observed('Shop', api, { tags: ['shop'] }),
      await observed('Blog', api, { tags: ['blog'] }),
    ];
    await subscribe(api, team, 'shop', { match: { tags: ['shop'] } });
    await subscribe(api, team, 'blog', { match: { tags: ['blog'] } });
    await lose([shop], 6);
    await sweep();
    await settled();
    expect([received('hook').length, received('shop').length, received('blog').length]).toEqual([1, 1, 0]);
    await lose([blog], 6);
    await sweep();
    await settled();
    expect([received('hook').length, received('shop').length, received('blog').length]).toEqual([1, 1, 1]);
  });

  it('are an alert of their own for each cause and team', async () => {
    const other = await makeTeam();
    const [a, b] = [await observed('A'), await observed('B')];
    const c = await observed('C', other.api);
    await lose([a, c], 6);
    await lose([b], 6, 'checker_error');
    await sweep();
    await settled();
    expect(received().sort()).toEqual([
      expect.stringMatching(/^unknown\.trigger \| NO DATA A since /),
      expect.stringMatching(/^unknown\.trigger \| NO DATA B: check could not be run since /),
    ]);
    expect(received('hook', other.team)).toEqual([expect.stringMatching(/^unknown\.trigger \| NO DATA C since /)]);
    await checkNow(api, a);
    await sweep();
    await settled();
    expect(received().slice(2)).toEqual([expect.stringMatching(/^unknown\.resolve \| DATA RESUMED A: /)]);
  });

  it('are an event of the location, and none of each monitor, if the network is lost', async () => {
    const [a, b, c] = [await observed('A'), await observed('B'), await observed('C')];
    await lose([a, b], 6, 'network_unavailable');
    await sweep();
    await sweep();
    const events = async (type: string) =>
      (await app.api(team.read).get<Page<EventDto>>(`/v1/events?type=${type}`)).body.data;
    await eventually(async () =>
      expect(await events('checking.*')).toMatchObject([
        {
          type: 'checking.interrupted',
          resource: { type: 'location', id: 'default' },
          data: { reason: 'network_unavailable', monitorCount: 2 },
        },
      ]),
    );
    await settled();
    expect(received()).toEqual([
      expect.stringMatching(/^unknown\.trigger \| NO DATA [AB] and 1 more monitor: checker has no network since /),
    ]);
    await lose([c], 6, 'network_unavailable');
    await sweep();
    for (const id of [a, b]) await checkNow(api, id);
    await sweep();
    await settled();
    expect(await recorded()).toEqual(['checking.interrupted default']);
    expect(received()).toHaveLength(1);

    await checkNow(api, c);
    await sweep();
    await settled();
    expect(await recorded()).toEqual(['checking.interrupted default', 'checking.resumed default']);
    expect(received().slice(1)).toEqual([
      expect.stringMatching(/^unknown\.resolve \| DATA RESUMED [ABC] and 2 more monitors: was without data for 6 min /),
    ]);
  });
});
