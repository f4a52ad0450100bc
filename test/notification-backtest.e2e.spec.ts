import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../src/domain/durations.js';
import { type IncidentDto } from '../src/modules/incidents/dto/incident.dto.js';
import { type NotificationBacktestDto } from '../src/modules/notification-policies/dto/backtest.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type TestTeam } from './support/backstage.js';
import { putChannel } from './support/channels.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { createMonitor, httpMonitor, untilStatus } from './support/monitors.js';
import { Receiver } from './support/receiver.js';
import { answers, startTarget, type Target } from './support/target.js';

const POLICIES = '/v1/notification-policies';
const BACKTEST = `${POLICIES}/backtest`;
/** Long enough for an acknowledgement to come first. */
const ESCALATION_SECONDS = 5;

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
});
afterAll(() => app.close());

const hookAt = (afterSeconds: number, ...keys: string[]) => ({
  afterSeconds,
  channelIds: keys.map((key) => `key:${key}`),
});
const HOOK_ONLY = { name: 'Hook', match: { all: true }, on: ['down'], steps: [hookAt(0, 'hook')] };

async function backtest(api: Client, body: object): Promise<NotificationBacktestDto> {
  const answer = await api.post<NotificationBacktestDto>(BACKTEST, body);
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200 });
  return answer.body;
}

/** Returns the counts by the keys of the channels. */
const countsOf = ({ channels }: NotificationBacktestDto): Record<string, number> =>
  Object.fromEntries(channels.map(({ channel, notifications }) => [channel.key ?? '', notifications] as const));

describe('a backtest of outages that were notified of', () => {
  let team: TestTeam;
  let api: Client;
  let target: Target;
  let receiver: Receiver;
  /** Notifications that were really sent, by the keys of the channels. */
  let sent: Record<string, number>;
  let escalatedId: string;

  const sentNow = async () => {
    const rows = await app.query<{ key: string; count: number; open: number }>(
      `SELECT c.key, count(*) FILTER (WHERE n.status = 'sent')::int AS count,
         count(*) FILTER (WHERE n.status = 'pending')::int AS open
       FROM notification_channels c JOIN notifications n ON n.channel_id = c.id WHERE c.team_id = $1 GROUP BY c.key`,
      [team.id],
    );
    expect(rows.every(({ open }) => open === 0)).toBe(true);
    return Object.fromEntries(rows.map(({ key, count }) => [key, count]));
  };

  /** Creates a monitor that goes down, and returns its id with the incident. */
  async function fallen(path: string): Promise<{ id: string; incident: IncidentDto }> {
    const { id } = await createMonitor(api, httpMonitor(target.url(path), { failureThreshold: 1 }));
    await untilStatus(api, id, 'up');
    target.behave(path, answers(503));
    await untilStatus(api, id, 'down');
    const { body } = await api.get<{ data: IncidentDto[] }>(`/v1/monitors/${id}/incidents`);
    return { id, incident: body.data[0]! };
  }

  const received = (key: string) => receiver.requests.filter(({ path }) => path === `/${key}`).length;

  beforeAll(async () => {
    receiver = new Receiver();
    [target] = await Promise.all([startTarget(), receiver.listen()]);
    team = await app.backstage.makeTeam('Backtested');
    api = app.api(team.write);
    for (const key of ['hook', 'pager']) await putChannel(api, key, { settings: { url: `${receiver.origin}/${key}` } });
    const steps = [hookAt(0, 'hook'), hookAt(ESCALATION_SECONDS, 'pager')];
    const policy = { name: 'Escalating', match: { all: true }, on: ['down'], steps };
    expect(await api.put(`${POLICIES}/key:escalating`, policy)).toMatchObject({ status: 201 });

    const acknowledged = await fallen('/acknowledged');
    await eventually(() => expect(received('hook')).toBe(1));
    expect(await api.post(`/v1/incidents/${acknowledged.incident.id}/acknowledge`, {})).toMatchObject({ status: 200 });
    await eventually(() => expect(received('hook')).toBe(2));
    const escalated = await fallen('/escalated');
    escalatedId = escalated.id;
    await eventually(() => expect(received('pager')).toBe(1));
    for (const path of ['/acknowledged', '/escalated']) target.behave(path, answers(200));
    await eventually(async () => expect(await sentNow()).toEqual({ hook: 5, pager: 2 }));
    sent = await sentNow();

    // Everything happened at night, three days ago: it moves there, so that the hours are known.
    for (const { id } of [acknowledged, escalated]) await api.post(`/v1/monitors/${id}/pause`, {});
    const shift = `(date_trunc('day', now(), 'UTC') - interval '69 hours'
      - (SELECT min(recorded_at) FROM events WHERE team_id = $1 AND type = 'incident.opened'))`;
    const [moved] = await app.query<{ shift: string }>(`SELECT ${shift}::text AS shift`, [team.id]);
    for (const table of ['events', 'notification_timers']) {
      const changes = `recorded_at = recorded_at + $2::interval`;
      await app.query(`UPDATE ${table} SET ${changes} WHERE team_id = $1`, [team.id, moved!.shift]);
    }
  }, 240_000);
  afterAll(async () => {
    await target.close();
    await receiver.close();
  });

  it('of the policy that caused them returns what was really sent, by channel', async () => {
    const result = await backtest(api, { policyId: 'key:escalating' });
    expect(countsOf(result)).toEqual(sent);
    expect(result).toMatchObject({ alerts: { recorded: 2, tested: 2, notified: 2 }, notifications: 7, complete: true });
    expect(Date.parse(result.to) - Date.parse(result.from)).toBe(90 * DAY_MS);
    expect(await backtest(api, {})).toMatchObject({ channels: result.channels, byHour: result.byHour });
  });

  it.each([
    ['UTC', 3, 7],
    ['Asia/Tokyo', 12, 0],
    ['Asia/Kolkata', 8, 0],
  ])('counts by the hours and the night of %s', async (timezone, hour, atNight) => {
    const result = await backtest(api, { policyId: 'key:escalating', timezone });
    expect(result.byHour).toEqual(Array.from({ length: 24 }, (_, at) => (at === hour ? 7 : 0)));
    expect({ timezone: result.timezone, atNight: result.atNight }).toEqual({ timezone, atNight });
    expect(result.channels.map((one) => one.atNight)).toEqual(atNight === 0 ? [0, 0] : [5, 2]);
  });

  it('of another policy returns what that would have sent', async () => {
    const counts = async (changes: object) => countsOf(await backtest(api, { policy: { ...HOOK_ONLY, ...changes } }));
    expect(await counts({})).toEqual({ hook: 5 });
    expect(await counts({ steps: [hookAt(0, 'pager')] })).toEqual({ pager: 5 });
    expect(await counts({ steps: [hookAt(0, 'hook'), hookAt(86_400, 'pager')] })).toEqual({ hook: 5, pager: 0 });
    expect(await counts({ match: { monitorIds: [escalatedId] } })).toEqual({ hook: 2 });
    expect(await counts({ match: { tags: ['nothing'] } })).toEqual({ hook: 0 });
    expect(await counts({ on: ['degraded'] })).toEqual({ hook: 0 });
    // Held back until 07:00, when both outages are over.
    expect(await counts({ quietHours: { from: '22:00', to: '07:00', except: [] } })).toEqual({ hook: 0 });
  });

  it('tests a disabled policy as if it had been enabled, and stores and sends nothing', async () => {
    const before = receiver.requests.length;
    expect(await api.put(`${POLICIES}/key:off`, { ...HOOK_ONLY, enabled: false })).toMatchObject({ status: 201 });
    expect(countsOf(await backtest(api, { policyId: 'key:off' }))).toEqual({ hook: 5 });
    expect(countsOf(await backtest(api, {}))).toEqual(sent);
    expect(await sentNow()).toEqual(sent);
    expect(receiver.requests).toHaveLength(before);
  });

  it('covers monitors that have been deleted since', async () => {
    expect(await api.delete(`/v1/monitors/${escalatedId}`)).toMatchObject({ status: 204 });
    expect(countsOf(await backtest(api, { policyId: 'key:escalating' }))).toEqual(sent);
  });
});

describe('a backtest', () => {
  let api: Client;
  let team: TestTeam;
  beforeAll(async () => {
    team = await app.backstage.makeTeam('Backtesting');
    api = app.api(team.write);
    await putChannel(api, 'hook', { enabled: false });
    await putChannel(api, 'open');
  });

  /** Stores outages of ten minutes, one an hour, or one that lasts. */
  async function outages(count: number, isOver = true): Promise<void> {
    await app.query(
      `WITH incidents AS (
         SELECT gen_random_uuid() AS id, now() - n * interval '1 hour' AS at FROM generate_series(1, $2::int) n
       ), opened AS (
         INSERT INTO events (id, team_id, era, transaction_id, type, occurred_at, recorded_at, actor_type, resource_type,
           resource_id, data)
         SELECT gen_random_uuid(), $1, 1, 1, type, at + after, at + after, 'system', 'incident', id::text,
           '{"kind": "detected", "monitorIds": [], "impact": "down"}'
         FROM incidents CROSS JOIN (VALUES ('incident.opened', interval '0'), ('incident.resolved', interval '10 minutes'))
           AS t (type, after)
         WHERE $3 OR type = 'incident.opened' ORDER BY at, after
       )
       INSERT INTO notification_timers (alert_key, team_id, subject_id, event, monitors, recorded_at, closed_at)
       SELECT id || '/1', $1, id, 'down', '[]', at, CASE WHEN $3 THEN at END FROM incidents`,
      [team.id, count, isOver],
    );
  }

  it('covers the latest 1,000 alerts, and other requests are answered meanwhile', async () => {
    await outages(1_005);
    const policy = { ...HOOK_ONLY, steps: [hookAt(0, 'open')] };
    let isDone = false;
    const result = backtest(api, { policy }).finally(() => (isDone = true));
    let answered = 0;
    while (!isDone) {
      expect(await app.api(app.teams.ours.read).get('/v1/api-keys/self')).toMatchObject({ status: 200 });
      answered += 1;
    }
    expect(await result).toMatchObject({
      alerts: { recorded: 1_005, tested: 1_000, notified: 1_000 },
      notifications: 2_000,
      complete: false,
    });
    expect(answered).toBeGreaterThan(1);
  });

  it('says that it is not complete for an outage with very many repeats', async () => {
    await app.query('DELETE FROM notification_timers WHERE team_id = $1', [team.id]);
    await outages(1, false);
    const at = `now() - interval '80 days'`;
    for (const table of ['events', 'notification_timers']) {
      await app.query(`UPDATE ${table} SET recorded_at = ${at} WHERE team_id = $1`, [team.id]);
    }
    const policy = { ...HOOK_ONLY, steps: [hookAt(0, 'open')] };
    expect(await backtest(api, { policy: { ...policy, repeatEverySeconds: 86_400 } })).toMatchObject({
      notifications: 81,
      complete: true,
    });
    const often = await backtest(api, { policy: { ...policy, repeatEverySeconds: 300 } });
    expect(often.complete).toBe(false);
    // Its channel is disabled.
    const silent = await backtest(api, { policy: HOOK_ONLY });
    expect({ counts: countsOf(silent), alerts: silent.alerts }).toEqual({
      counts: { hook: 0 },
      alerts: { recorded: 1, tested: 1, notified: 0 },
    });
    await app.query(`UPDATE notification_timers SET recorded_at = now() - interval '91 days' WHERE team_id = $1`, [
      team.id,
    ]);
    expect(await backtest(api, { policy })).toMatchObject({ alerts: { recorded: 0 }, notifications: 0 });
  });

  it('sees no alerts of other teams', async () => {
    const result = await backtest(app.api(app.teams.theirs.read), {});
    expect(result).toMatchObject({ alerts: { recorded: 0, tested: 0 }, notifications: 0, channels: [] });
  });

  it.each([
    [{ policyId: 'key:missing' }, '/policyId'],
    [{ policyId: randomUUID() }, '/policyId'],
    [{ policyId: 'key:x', policy: HOOK_ONLY }, '/policy'],
    [{ policy: { ...HOOK_ONLY, steps: [] } }, '/policy/steps'],
    [{ policy: { ...HOOK_ONLY, steps: [hookAt(0, 'missing')] } }, '/policy/steps/0/channelIds/0'],
    [{ policy: { ...HOOK_ONLY, match: {} } }, '/policy/match'],
    [{ timezone: 'Atlantis' }, '/timezone'],
    [{ days: 3 }, '/days'],
  ])('rejects %j at %s', async (body, pointer) => {
    const answer = await api.post<{ errors: { pointer: string }[] }>(BACKTEST, body);
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map((error) => error.pointer)).toContain(pointer);
  });
});
