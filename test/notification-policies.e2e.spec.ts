import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS } from '../src/domain/durations.js';
import { type MonitorPoliciesDto } from '../src/modules/notification-policies/dto/monitor-policy.dto.js';
import { type NotificationPolicyDto } from '../src/modules/notification-policies/dto/notification-policy.dto.js';
import { type NotificationPreviewDto } from '../src/modules/notification-policies/dto/preview.dto.js';
import { type SilenceDto } from '../src/modules/notification-policies/dto/silence.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { putChannel } from './support/channels.js';
import { type Client } from './support/client.js';

const POLICIES = '/v1/notification-policies';
const SILENCES = '/v1/silences';

let app: TestApp;
let api: Client;
let monitorId: string;
let opsId: string;
beforeAll(async () => {
  app = await sharedApp();
  api = app.api(app.teams.ours.write);
  const monitor = { name: 'Shop', type: 'http', url: 'https://shop.example/', paused: true, tags: ['production'] };
  const slack = { type: 'slack', settings: { url: 'https://hooks.slack.com/services/T0/B0/x' } };
  opsId = (await putChannel(api, 'ops', { name: 'Operations', ...slack })).id;
  await putChannel(api, 'on-call', { name: 'On call' });
  await putChannel(api, 'retired', { name: 'Old chat', enabled: false });
  monitorId = (await api.put<{ id: string }>('/v1/monitors/key:shop', monitor)).body.id;
});
afterAll(() => app.close());

const step = (afterSeconds: number, ...keys: string[]) => ({
  afterSeconds,
  channelIds: keys.map((key) => `key:${key}`),
});
const POLICY = { name: 'Production', match: { tags: ['production'] }, steps: [step(0, 'ops')] };

async function create(definition: object = {}): Promise<NotificationPolicyDto> {
  const { status, body } = await api.post<NotificationPolicyDto>(POLICIES, { ...POLICY, ...definition });
  expect(status).toBe(201);
  return body;
}

async function clear(): Promise<void> {
  const { body } = await api.get<{ data: { id: string }[] }>(POLICIES);
  for (const { id } of body.data) await api.delete(`${POLICIES}/${id}`);
  const silences = await api.get<{ data: { id: string }[] }>(SILENCES);
  for (const { id } of silences.body.data) await api.delete(`${SILENCES}/${id}`);
}

describe('a notification policy', () => {
  it('takes its defaults, and refers to monitors and channels by id', async () => {
    const policy = await create({ match: { monitorIds: ['key:shop'] } });
    expect(policy).toMatchObject({
      revision: 1,
      key: null,
      enabled: true,
      match: { all: false, monitorIds: [monitorId], tags: [], allTags: [], notTags: [], types: [] },
      on: ['down', 'unknown', 'location_offline', 'channel_failing'],
      steps: [{ afterSeconds: 0, channelIds: [opsId] }],
      repeatEverySeconds: null,
      quietHours: null,
    });
    expect((await api.get(`${POLICIES}/${policy.id}`)).body).toEqual(policy);
  });

  it('can be stored by more callers at the same time than there are database connections', async () => {
    await clear();
    const match = { monitorIds: ['key:shop'] };
    const answers = await Promise.all(Array.from({ length: 24 }, () => api.post(POLICIES, { ...POLICY, match })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  });

  it('completes quiet hours', async () => {
    const { quietHours } = await create({ quietHours: { from: '22:00', to: '07:00' } });
    expect(quietHours).toMatchObject({ timezone: 'UTC', from: '22:00', to: '07:00', except: [] });
    expect(quietHours!.days).toHaveLength(7);
  });

  it('can be created, replaced and merged by key', async () => {
    const path = `${POLICIES}/key:merged`;
    expect(await api.put(path, { ...POLICY, repeatEverySeconds: 600 })).toMatchObject({ status: 201 });
    expect(await api.put(path, POLICY)).toMatchObject({ status: 200, body: { revision: 2, repeatEverySeconds: null } });
    const quietHours = { from: '22:00', to: '07:00', except: ['down'] };
    await api.patch(path, { quietHours });
    const merged = await api.patch(path, { quietHours: { to: '06:00' }, match: { notTags: ['staging'] } });
    expect(merged).toMatchObject({
      status: 200,
      body: {
        revision: 4,
        quietHours: { from: '22:00', to: '06:00', except: ['down'] },
        match: { tags: ['production'], notTags: ['staging'] },
      },
    });
    expect(await api.patch(path, { quietHours: null })).toMatchObject({ body: { quietHours: null } });
    expect(await api.patch(path, { bogus: null })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/bogus', code: 'unknown_field' }] },
    });
    const stale = await api.call('PATCH', path, { json: { name: 'Stale' }, headers: { 'if-match': '"1.0"' } });
    expect(stale.status).toBe(412);
  });

  it('can change from all monitors to some, and back', async () => {
    const path = `${POLICIES}/key:widened`;
    expect(await api.put(path, { ...POLICY, match: { all: true } })).toMatchObject({ body: { match: { all: true } } });
    const match = { all: false, tags: ['production'] };
    expect(await api.patch(path, { match })).toMatchObject({ status: 200, body: { match } });
    const refused = await api.patch(path, { match: { all: true } });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/match/tags' }] } });
    const widened = await api.patch(path, { match: { all: true, tags: null } });
    expect(widened).toMatchObject({ status: 200, body: { match: { all: true, tags: [] } } });
  });

  it('loses a monitor that is deleted', async () => {
    const monitor = { name: 'Gone', type: 'http', url: 'https://gone.example/', paused: true };
    const { id } = (await api.post<{ id: string }>('/v1/monitors', monitor)).body;
    const policy = await create({ match: { monitorIds: [id, 'key:shop'] } });
    await api.delete(`/v1/monitors/${id}`);
    expect(await api.get(`${POLICIES}/${policy.id}`)).toMatchObject({ body: { match: { monitorIds: [monitorId] } } });
  });

  describe('whose listed monitors have all been deleted', () => {
    const path = `${POLICIES}/key:orphaned`;
    const store = async (match: object): Promise<void> => {
      const monitor = { name: 'Gone', type: 'http', url: 'https://gone.example/', paused: true };
      const { id } = (await api.post<{ id: string }>('/v1/monitors', monitor)).body;
      await api.put(path, { ...POLICY, match: { monitorIds: [id], ...match } });
      await api.delete(`/v1/monitors/${id}`);
    };
    const selectsShop = async (): Promise<boolean> => {
      const { body } = await api.get<MonitorPoliciesDto>('/v1/monitors/key:shop/notification-policies');
      return body.data.some(({ key }) => key === 'orphaned');
    };

    it('does not select others when it is changed', async () => {
      await store({ notTags: ['staging'] });
      const renamed = await api.patch<NotificationPolicyDto>(path, { name: 'Renamed' });
      expect(renamed).toMatchObject({ status: 200, body: { name: 'Renamed', match: { monitorIds: [] } } });
      const { match } = renamed.body;
      for (const refused of [await api.put(path, { ...POLICY, match }), await api.patch(path, { match })]) {
        const errors = [{ pointer: '/match/monitorIds', code: 'required' }];
        expect(refused).toMatchObject({ status: 422, body: { errors } });
      }
      expect(await selectsShop()).toBe(false);
    });

    it('selects others once it lists none', async () => {
      await store({ notTags: ['staging'] });
      expect((await api.patch(path, { match: { monitorIds: null } })).status).toBe(200);
      expect(await selectsShop()).toBe(true);
      await store({ notTags: ['staging'] });
      expect((await api.put(path, { ...POLICY, match: { notTags: ['staging'] } })).status).toBe(200);
      expect(await selectsShop()).toBe(true);
    });

    it('can be disabled, and changed to select others', async () => {
      await store({});
      expect(await api.patch(path, { enabled: false })).toMatchObject({ status: 200, body: { enabled: false } });
      expect((await api.patch(path, { match: { all: true } })).status).toBe(200);
      expect(await selectsShop()).toBe(true);
    });
  });

  it('is listed by key and by whether it is enabled', async () => {
    await clear();
    await create({ key: 'first' });
    await create({ key: 'second', enabled: false });
    const keys = async (query: string) =>
      (await api.get<{ data: NotificationPolicyDto[] }>(POLICIES + query)).body.data.map(({ key }) => key);
    expect(await keys('')).toEqual(['second', 'first']);
    expect(await keys('?enabled=true')).toEqual(['first']);
    expect(await keys('?key=second')).toEqual(['second']);
  });

  it('is created once by retries with an idempotency key', async () => {
    await clear();
    const post = () => api.call('POST', POLICIES, { json: POLICY, headers: { 'idempotency-key': 'policy-once' } });
    const [first, second] = [await post(), await post()];
    expect(second.body).toEqual(first.body);
    expect(await api.get(POLICIES)).toMatchObject({ body: { data: [first.body] } });
  });

  const steps = (...list: object[]) => ({ steps: list });
  it.each<[string, object, string, string]>([
    ['an empty match', { match: {} }, '/match', 'required'],
    ['a match of empty lists', { match: { tags: [], types: [] } }, '/match', 'required'],
    ['all monitors and a tag', { match: { all: true, tags: ['a'] } }, '/match/tags', 'not_applicable'],
    ['an unknown monitor', { match: { monitorIds: ['key:nobody'] } }, '/match/monitorIds/0', 'invalid_value'],
    ['an unknown type', { match: { types: ['carrier-pigeon'] } }, '/match/types/0', 'invalid_value'],
    ['an unknown member of the match', { match: { all: true, labels: [] } }, '/match/labels', 'unknown_field'],
    ['no steps', steps(), '/steps', 'too_short'],
    ['eleven steps', steps(...Array.from({ length: 11 }, () => step(0, 'ops'))), '/steps', 'too_long'],
    ['a step without channels', steps(step(0)), '/steps/0/channelIds', 'too_short'],
    ['steps out of order', steps(step(60, 'ops'), step(59, 'on-call')), '/steps/1/afterSeconds', 'out_of_range'],
    ['an unknown channel', steps(step(0, 'ops', 'nobody')), '/steps/0/channelIds/1', 'invalid_value'],
    ['a channel twice in a step', steps(step(0, 'ops', 'ops')), '/steps/0/channelIds/1', 'duplicate'],
    ['an unknown event', { on: ['up'] }, '/on/0', 'invalid_value'],
    ['a repeat that is too frequent', { repeatEverySeconds: 299 }, '/repeatEverySeconds', 'out_of_range'],
    ['an impossible time', { quietHours: { from: '24:00', to: '07:00' } }, '/quietHours/from', 'invalid_value'],
    ['quiet hours of a whole week', { quietHours: { from: '07:00', to: '07:00' } }, '/quietHours', 'out_of_range'],
    ['a read-only field', { revision: 2 }, '/revision', 'read_only_field'],
  ])('is rejected with %s', async (_, definition, pointer, code) => {
    const { status, body } = await api.post<{ errors: object[] }>(POLICIES, { ...POLICY, ...definition });
    expect({ status, errors: body.errors }).toMatchObject({ status: 422, errors: [{ pointer, code }] });
  });

  it('cannot refer to a channel or monitor of another team', async () => {
    const { id: theirs } = await putChannel(app.api(app.teams.theirs.write), 'ops');
    const foreign = await api.post(POLICIES, { ...POLICY, steps: [{ afterSeconds: 0, channelIds: [theirs] }] });
    expect(foreign).toMatchObject({ status: 422, body: { errors: [{ pointer: '/steps/0/channelIds/0' }] } });
    const other = app.api(app.teams.theirs.write);
    const match = { monitorIds: [monitorId] };
    expect(await other.post(POLICIES, { ...POLICY, match })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/match/monitorIds/0', code: 'invalid_value' }] },
    });
  });
});

describe("a monitor's notification policies", () => {
  const applied = async () => (await api.get<MonitorPoliciesDto>('/v1/monitors/key:shop/notification-policies')).body;

  it('are those that match it, with the channels that they notify', async () => {
    await clear();
    await create({ key: 'mine', steps: [step(0, 'ops'), step(60, 'on-call', 'retired')] });
    await create({ key: 'not-mine', match: { tags: ['staging'] } });
    const { data, notified } = await applied();
    expect(notified).toBe(true);
    expect(data).toMatchObject([
      {
        key: 'mine',
        steps: [
          { afterSeconds: 0, channels: [{ key: 'ops', name: 'Operations', type: 'slack', enabled: true }] },
          { afterSeconds: 60, channels: [{ key: 'on-call' }, { key: 'retired', enabled: false }] },
        ],
      },
    ]);
  });

  it.each<[string, object]>([
    ['it is disabled', { enabled: false }],
    ['it does not name outages', { on: ['degraded'] }],
    ['its channels are disabled', { steps: [step(0, 'retired')] }],
  ])('notify nobody if the only one applies, but %s', async (_, definition) => {
    await clear();
    await create(definition);
    expect(await applied()).toMatchObject({ notified: false, data: [{ name: 'Production' }] });
  });
});

describe('a preview', () => {
  const preview = async (body: object) => {
    const answer = await api.post<NotificationPreviewDto>(`${POLICIES}/preview`, { monitorId: 'key:shop', ...body });
    expect(answer.status).toBe(200);
    const { notifications, unsent } = answer.body;
    return {
      sent: notifications.map(({ at, kind, step: number, channel }) => `${at} ${kind} ${number} ${channel.key}`),
      unsent: unsent.map(({ at, reason, channel }) => `${at} ${reason} ${channel?.key}`),
    };
  };
  /** A Sunday. */
  const NIGHT = { at: '2030-01-06T03:00:00Z' };

  it('shows steps and repeats of the stored policies', async () => {
    await clear();
    await create({ steps: [step(0, 'ops'), step(300, 'on-call')], repeatEverySeconds: 36_000 });
    await create({ match: { tags: ['staging'] } });
    expect(await preview(NIGHT)).toEqual({
      sent: [
        '2030-01-06T03:00:00.000Z trigger 1 ops',
        '2030-01-06T03:05:00.000Z trigger 2 on-call',
        '2030-01-06T13:05:00.000Z repeat 2 on-call',
        '2030-01-06T23:05:00.000Z repeat 2 on-call',
      ],
      unsent: [],
    });
    expect((await preview({ ...NIGHT, event: 'degraded' })).sent).toEqual([]);
  });

  it('shows what quiet hours hold back', async () => {
    await clear();
    await create({ quietHours: { timezone: 'Europe/Berlin', from: '22:00', to: '07:00' } });
    expect((await preview(NIGHT)).sent).toEqual(['2030-01-06T06:00:00.000Z trigger 1 ops']);
  });

  it('shows a policy that is not stored, instead of those that are', async () => {
    await clear();
    await create({ steps: [step(0, 'on-call')] });
    const policy = { ...POLICY, steps: [step(60, 'ops', 'retired')] };
    expect(await preview({ ...NIGHT, policy })).toEqual({
      sent: ['2030-01-06T03:01:00.000Z trigger 1 ops'],
      unsent: ['null channel_disabled retired'],
    });
  });

  it('shows that nobody is notified', async () => {
    await clear();
    expect(await preview(NIGHT)).toEqual({ sent: [], unsent: ['null no_policy undefined'] });
  });

  it('takes silences into account', async () => {
    await clear();
    await create();
    const silence = { match: { tags: ['production'] }, durationSeconds: 3_600, reason: 'Known fault' };
    const { until } = (await api.post<SilenceDto>(SILENCES, silence)).body;
    expect((await preview({})).sent).toEqual([`${until} trigger 1 ops`]);
  });

  it.each<[string, object, string]>([
    ['an unknown monitor', { monitorId: 'key:nobody' }, '/monitorId'],
    ['an unknown channel', { policy: { ...POLICY, steps: [step(0, 'nobody')] } }, '/policy/steps/0/channelIds/0'],
    ['an empty match', { policy: { ...POLICY, match: {} } }, '/policy/match'],
    ['a policy without a name', { policy: { ...POLICY, name: null } }, '/policy/name'],
    ['an unknown event', { event: 'up' }, '/event'],
  ])('is rejected with %s', async (_, body, pointer) => {
    const answer = await api.post(`${POLICIES}/preview`, { monitorId: 'key:shop', ...body });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
  });
});

describe('a silence', () => {
  const SILENCE = { match: { monitorIds: ['key:shop'] }, reason: 'Known fault' };
  const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

  it('is listed until it is ended', async () => {
    await clear();
    const until = inDays(6);
    const { status, body } = await api.post<SilenceDto>(SILENCES, { ...SILENCE, until });
    expect(status).toBe(201);
    expect(body).toMatchObject({ match: { monitorIds: [monitorId] }, until, reason: 'Known fault' });
    expect(await api.get(SILENCES)).toMatchObject({ body: { data: [body] } });
    expect(await api.get(`${SILENCES}/${body.id}`)).toMatchObject({ status: 200, body });
    expect((await api.delete(`${SILENCES}/${body.id}`)).status).toBe(204);
    expect(await api.get(SILENCES)).toMatchObject({ body: { data: [] } });
    expect((await api.delete(`${SILENCES}/${body.id}`)).status).toBe(404);
  });

  it('is not listed once its time has passed', async () => {
    await clear();
    const { body } = await api.post<SilenceDto>(SILENCES, { ...SILENCE, durationSeconds: 600 });
    await app.query(`UPDATE silences SET ends_at = now() WHERE id = $1`, [body.id]);
    expect(await api.get(SILENCES)).toMatchObject({ body: { data: [] } });
    expect(await api.get(`${SILENCES}/${body.id}`)).toMatchObject({ status: 404 });
  });

  it.each<[string, object, string, string]>([
    ['no end', {}, '/until', 'required'],
    ['two ends', { until: inDays(1), durationSeconds: 60 }, '/until', 'not_applicable'],
    ['an end in the past', { until: inDays(-1) }, '/until', 'out_of_range'],
    ['an end in more than seven days', { until: inDays(7.01) }, '/until', 'out_of_range'],
    ['an empty match', { match: {}, durationSeconds: 60 }, '/match', 'required'],
    ['no reason', { reason: '', durationSeconds: 60 }, '/reason', 'too_short'],
    [
      'an unknown monitor',
      { match: { monitorIds: ['key:x'] }, durationSeconds: 60 },
      '/match/monitorIds/0',
      'invalid_value',
    ],
  ])('is rejected with %s', async (_, definition, pointer, code) => {
    const answer = await api.post(SILENCES, { ...SILENCE, ...definition });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer, code }] } });
  });
});
