import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type IncidentDto } from '../src/modules/incidents/dto/incident.dto.js';
import { type NotificationPreviewDto } from '../src/modules/notification-policies/dto/preview.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type TestTeam } from './support/backstage.js';
import { Browser } from './support/browser.js';
import { putChannel } from './support/channels.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { createMonitor, httpMonitor, untilStatus } from './support/monitors.js';
import { createPolicy } from './support/notifications.js';
import { useReceiver } from './support/receiver.js';
import { answers, startTarget, type Target } from './support/target.js';

const receiver = useReceiver();
let app: TestApp;
let team: TestTeam;
let api: Client;
let target: Target;
beforeAll(async () => {
  [app, target] = await Promise.all([sharedApp(), startTarget()]);
});
afterAll(async () => {
  await app.close();
  await target.close();
});
beforeEach(async () => {
  team = await app.backstage.makeTeam('Drilled');
  api = app.api(team.write);
  for (const [key, type] of Object.entries({ hook: 'webhook', chat: 'slack' })) {
    await putChannel(api, key, { type, settings: { url: `${receiver.origin}/${team.id}/${key}` } });
  }
});

/** The headings of the messages that a channel received. */
const received = (key: string): string[] =>
  receiver
    .bodiesAt<{ text?: string; data?: { subject: string } }>(`/${team.id}/${key}`)
    .map(({ text, data }) => text ?? data!.subject);
const DOWN = expect.stringMatching(/^DRILL DOWN Shop since \d\d:\d\d UTC$/);
const ACKNOWLEDGED = expect.stringMatching(/^DRILL ACKNOWLEDGED Shop: down since /);
const UP = expect.stringMatching(/^DRILL UP Shop: was down for /);

async function policy(...steps: [afterSeconds: number, key: string][]): Promise<void> {
  await createPolicy(api, {
    steps: steps.map(([afterSeconds, key]) => ({ afterSeconds, channelIds: [`key:${key}`] })),
    repeatEverySeconds: 300,
  });
}
const quiet = async (more: object = {}): Promise<string> =>
  (await createMonitor(api, httpMonitor(target.url('/quiet'), { name: 'Shop', paused: true, ...more }))).id;
async function drill(monitorId: string): Promise<IncidentDto> {
  const answer = await api.post<IncidentDto>(`/v1/monitors/${monitorId}/drill`);
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
}
const overdue = (id: string) => app.query('UPDATE incidents SET settles_at = now() WHERE id = $1', [id]);

interface Row {
  kind: string;
  step: number;
  policy_id: string | null;
  channel_id: string | null;
  status: string;
  reason: string | null;
  due_at: Date | null;
}
const rowsOf = (incidentId: string) =>
  app.query<Row>(
    `SELECT kind, step, policy_id, channel_id, status, reason, due_at FROM notifications
     WHERE incident_id = $1 ORDER BY due_at, id`,
    [incidentId],
  );

describe('a drill', () => {
  it('notifies whom the preview names, at those times, until somebody acknowledges by the link in a message', async () => {
    await policy([0, 'hook'], [2, 'chat']);
    const monitorId = await quiet();
    const at = new Date().toISOString();
    const { body: preview } = await api.post<NotificationPreviewDto>('/v1/notification-policies/preview', {
      monitorId,
      at,
    });
    const { id, startedAt } = await drill(monitorId);
    await eventually(() => expect([received('hook'), received('chat')]).toEqual([[DOWN], [DOWN]]));

    const sent = await eventually(async () => {
      const rows = (await rowsOf(id)).filter(({ status }) => status === 'sent');
      expect(rows).toHaveLength(2);
      return rows;
    });
    const previewed = preview.notifications.filter(({ kind }) => kind === 'trigger');
    expect(
      sent.map((row) => ({
        afterMs: row.due_at!.getTime() - Date.parse(startedAt),
        ...{ kind: row.kind, step: row.step, policyId: row.policy_id, channelId: row.channel_id },
      })),
    ).toEqual(
      previewed.map(({ at: dueAt, kind, step, policyId, channel }) => ({
        afterMs: Date.parse(dueAt) - Date.parse(at),
        ...{ kind, step, policyId, channelId: channel.id },
      })),
    );
    expect(sent.map(({ due_at: dueAt }) => dueAt!.getTime() - Date.parse(startedAt))).toEqual([0, 2_000]);

    const [message] = receiver.bodiesAt<{ data: { drill: boolean; links: { acknowledge: string } } }>(
      `/${team.id}/hook`,
    );
    const { data } = message!;
    expect(data.drill).toBe(true);
    const browser = new Browser(app.origin);
    const path = data.links.acknowledge.slice(app.origin.length);
    const { html } = await browser.open(path);
    expect(html).toContain('Drill: Shop');
    expect(html).toContain('This stops further notifications. The drill then ends within a minute.');
    expect((await browser.submit(path)).html).toMatch(/Acknowledged by .*\. The drill ends <time/);
    await eventually(() => {
      expect([received('hook'), received('chat')]).toEqual([[DOWN, ACKNOWLEDGED], [DOWN, ACKNOWLEDGED]]); // prettier-ignore
    });

    await overdue(id);
    await eventually(() => {
      const all = [DOWN, ACKNOWLEDGED, UP];
      expect([received('hook'), received('chat')]).toEqual([all, all]);
    });
  });

  it('does not depend on what happens to its monitor, whose own outage is reported as well', async () => {
    await policy([0, 'hook'], [4, 'chat']);
    target.behave('/busy', answers(200));
    const { id: monitorId } = await createMonitor(
      api,
      httpMonitor(target.url('/busy'), { name: 'Shop', failureThreshold: 1 }),
    );
    await untilStatus(api, monitorId, 'up');
    const { id } = await drill(monitorId);
    await eventually(() => expect(received('hook')).toEqual([DOWN]));
    target.behave('/busy', answers(503));
    await eventually(() => expect(received('hook')).toEqual([DOWN, expect.stringMatching(/^DOWN Shop: status 503/)]));
    await api.post(`/v1/monitors/${monitorId}/pause`);
    await eventually(() => expect(received('hook').at(-1)).toMatch(/^UP Shop/));
    await eventually(() => expect(received('chat')).toContainEqual(DOWN));
    await api.patch(`/v1/incidents/${id}`, { resolvedAt: new Date().toISOString() });
    await eventually(() => expect(received('hook').at(-1)).toEqual(UP));
  });

  it('is not held back by a parent that is down, nor by maintenance', async () => {
    target.behave('/parent', answers(503));
    const parent = await createMonitor(
      api,
      httpMonitor(target.url('/parent'), { name: 'Router', failureThreshold: 1 }),
    );
    await untilStatus(api, parent.id, 'down');
    const monitorId = await quiet({ parentIds: [parent.id] });
    const body = { name: 'Now', monitorIds: [monitorId] };
    const { body: window } = await api.post<{ id: string }>('/v1/maintenance-windows', body);
    const begun = await api.post(`/v1/maintenance-windows/${window.id}/start`, { durationSeconds: 600 });
    expect(begun).toMatchObject({ status: 200, body: { active: true } });
    await policy([0, 'chat']);
    const { id } = await drill(monitorId);
    await eventually(() => expect(received('chat')).toContainEqual(DOWN));
    await eventually(async () =>
      expect(await rowsOf(id)).toMatchObject([{ kind: 'trigger', status: 'sent', reason: null }]),
    );
  });

  it('of a parent names no children', async () => {
    await policy([0, 'hook']);
    const monitorId = await quiet();
    target.behave('/child', answers(503));
    const child = httpMonitor(target.url('/child'), { name: 'Child', failureThreshold: 1, parentIds: [monitorId] });
    await untilStatus(api, (await createMonitor(api, child)).id, 'down');
    await drill(monitorId);
    // The alert of the child does not wait for its parent, which is paused.
    const own = expect.stringMatching(/^DOWN Child: status 503/);
    await eventually(() => expect(received('hook').sort()).toEqual([own, DOWN]));
  });

  it('follows silences', async () => {
    await policy([0, 'hook']);
    const monitorId = await quiet();
    await api.post('/v1/silences', { match: { monitorIds: [monitorId] }, durationSeconds: 600, reason: 'Known' });
    const { id } = await drill(monitorId);
    await eventually(async () => expect(await rowsOf(id)).toMatchObject([{ status: 'held', reason: 'silenced' }]));
    expect(received('hook')).toEqual([]);
  });

  it('records that nobody is notified if no policy applies', async () => {
    const { id } = await drill(await quiet());
    await eventually(async () => expect(await rowsOf(id)).toMatchObject([{ reason: 'no_policy', channel_id: null }]));
  });

  it('is reported as ended when its monitor is deleted', async () => {
    await policy([0, 'hook']);
    const monitorId = await quiet();
    await drill(monitorId);
    await eventually(() => expect(received('hook')).toEqual([DOWN]));
    await api.delete(`/v1/monitors/${monitorId}`);
    await eventually(() => expect(received('hook')).toEqual([DOWN, UP]));
  });

  it('is left out of backtests', async () => {
    await policy([0, 'hook']);
    await drill(await quiet());
    await eventually(() => expect(received('hook')).toEqual([DOWN]));
    const { body } = await api.post('/v1/notification-policies/backtest', { timezone: 'UTC' });
    expect(body).toMatchObject({ alerts: { recorded: 0, tested: 0, notified: 0 }, notifications: 0 });
  });
});
