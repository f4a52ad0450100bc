import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type NotificationChannelDto } from '../src/modules/notification-channels/dto/notification-channel.dto.js';
import { type NotificationPolicyDto } from '../src/modules/notification-policies/dto/notification-policy.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type TestTeam } from './support/backstage.js';
import { type Browser } from './support/browser.js';
import { putChannel } from './support/channels.js';
import { quietMonitor } from './support/console.js';
import { unescaped } from './support/html-forms.js';
import { makePerson, signIn } from './support/people.js';

const NOTIFICATIONS = '/settings/notifications';
const PATH = `${NOTIFICATIONS}/policies`;
const NEW = `${PATH}/new`;
const API = '/v1/notification-policies';

let app: TestApp;
let team: TestTeam;
let browser: Browser;
let ops: NotificationChannelDto;
let pager: NotificationChannelDto;
beforeAll(async () => {
  app = await sharedApp();
  team = await app.backstage.makeTeam('Alerted');
  browser = await signIn(app, await makePerson(app, team.id, 'editor'));
  [ops, pager] = [await putChannel(app.api(team.write), 'ops'), await putChannel(app.api(team.write), 'pager')];
});
afterAll(() => app.close());

async function policyNamed(name: string): Promise<NotificationPolicyDto | undefined> {
  const { body } = await app.api(team.read).get<{ data: NotificationPolicyDto[] }>(`${API}?limit=100`);
  return body.data.find((one) => one.name === name);
}

async function makePolicy(name: string, changes: object = {}): Promise<NotificationPolicyDto> {
  const policy = { name, match: { all: true }, steps: [{ afterSeconds: 0, channelIds: [ops.id] }], ...changes };
  const { status, body } = await app.api(team.write).post<NotificationPolicyDto>(API, policy);
  expect(status).toBe(201);
  return body;
}

/** Returns what the form says about its policy. */
const sentenceOf = (html: string): string => unescaped(/data-swap="sentence">([^<]*)</.exec(html)![1]!);
const errorAt = (html: string, id: string): string =>
  unescaped(new RegExp(`id="${id}-error">([^<]*)<`).exec(html)?.[1] ?? '');
const chosen = (step: number, { id }: NotificationChannelDto) => ({ [`s${step}.channel.${id}`]: 'on' });

describe('the form of a new policy', () => {
  it('creates a policy for all monitors and the usual events', async () => {
    await browser.open(NEW);
    const saved = await browser.submit(NEW, { name: 'Usual', ...chosen(0, ops) });
    expect(saved.path).toBe(`${NOTIFICATIONS}?done=policy-created`);
    expect(saved.html).toContain('Outages and recoveries of all monitors: ops immediately.');
    expect(await policyNamed('Usual')).toMatchObject({
      enabled: true,
      match: { all: true },
      on: ['down', 'unknown', 'location_offline', 'channel_failing'],
      steps: [{ afterSeconds: 0, channelIds: [ops.id] }],
      repeatEverySeconds: null,
      quietHours: null,
    });
  });

  it('creates a policy with steps, repeats and quiet hours for selected monitors', async () => {
    const monitorId = await quietMonitor(app, 'Shop', team);
    await browser.open(NEW);
    const searched = await browser.submit(NEW, { name: 'Complex', scope: 'chosen', q: 'shop', do: 'search' });
    expect(searched.html).toContain(monitorId);
    const added = await browser.submit(NEW, { do: 'add', pick: monitorId });
    expect(sentenceOf(added.html)).toMatch(/^Outages and recoveries of Shop: nobody yet\.$/);
    const longer = await browser.submit(NEW, { do: 'add-step', ...chosen(0, ops) });
    expect(sentenceOf(longer.html)).toContain('ops immediately, nobody yet unless acknowledged');
    await browser.submit(NEW, {
      tags: 'production, payments',
      notTags: 'staging',
      'type.http': 'on',
      'on.maintenance': 'on',
      's1.after': 'custom',
      's1.afterCustom': '90',
      ...chosen(1, pager),
      repeatEverySeconds: '1800',
      hours: 'quiet',
      from: '20:30',
      to: '06:00',
      timezone: 'Europe/Berlin',
      'except.unknown': 'on',
      key: 'complex',
      enabled: '',
    });
    expect(await policyNamed('Complex')).toMatchObject({
      key: 'complex',
      enabled: false,
      match: {
        all: false,
        monitorIds: [monitorId],
        tags: ['production', 'payments'],
        notTags: ['staging'],
        types: ['http'],
      },
      on: ['down', 'unknown', 'location_offline', 'channel_failing', 'maintenance'],
      steps: [
        { afterSeconds: 0, channelIds: [ops.id] },
        { afterSeconds: 90, channelIds: [pager.id] },
      ],
      repeatEverySeconds: 1_800,
      quietHours: { timezone: 'Europe/Berlin', from: '20:30', to: '06:00', except: ['down', 'unknown'] },
    });
  });

  it('reports every error beside its field, and keeps the input', async () => {
    await browser.open(NEW);
    const { status, html } = await browser.submit(NEW, {
      name: '',
      scope: 'chosen',
      tags: 'x'.repeat(51),
      's0.after': 'custom',
      's0.afterCustom': 'soon',
      repeatEverySeconds: 'custom',
      repeatEverySecondsCustom: '10',
      hours: 'quiet',
      from: 'late',
      timezone: 'Nowhere',
    });
    expect(status).toBe(422);
    expect(errorAt(html, 'policy-name')).toContain('Name');
    expect(errorAt(html, 'policy-match-tags')).toBe('Any of these tags must have 1 to 50 characters');
    expect(errorAt(html, 'policy-steps-0-afterSeconds')).toContain('Delay of step 1');
    expect(errorAt(html, 'policy-steps-0-channelIds')).toBe('Channels of step 1 must not be empty');
    expect(errorAt(html, 'policy-repeatEverySeconds')).toBe('Repeat the last step must be 5 minutes or more');
    expect(errorAt(html, 'policy-quietHours-from')).toBe('From must be a time of day, such as 22:00');
    expect(errorAt(html, 'policy-quietHours-timezone')).toContain('Time zone');
    expect(html).toContain('href="#policy-steps-0-channelIds"');
    for (const kept of ['value="soon"', 'value="late"', 'value="Nowhere"', 'data-guard="edited"']) {
      expect(html).toContain(kept);
    }
  });

  it('asks for the monitors and for the order of the steps', async () => {
    await browser.open(NEW);
    await browser.submit(NEW, { do: 'add-step' });
    const { html } = await browser.submit(NEW, {
      name: 'Wrong',
      scope: 'chosen',
      's0.after': '600',
      's1.after': '60',
      ...chosen(0, ops),
      ...chosen(1, ops),
    });
    expect(errorAt(html, 'policy-match')).toBe('Select all monitors, or specify monitors, tags or types.');
    expect(errorAt(html, 'policy-steps-1-afterSeconds')).toBe('A step must not be due earlier than the previous one.');
    expect(await policyNamed('Wrong')).toBeUndefined();
  });

  it('sends people without a channel to create one', async () => {
    const other = await app.backstage.makeTeam('New');
    const editor = await signIn(app, await makePerson(app, other.id, 'editor'));
    expect((await editor.open(NEW)).html).toContain(`<a href="${NOTIFICATIONS}/new">Create a channel</a>`);
  });
});

describe('the form of a stored policy', () => {
  const HOURS = { timezone: 'Europe/Berlin', days: ['saturday'], from: '22:00', to: '07:00', except: [] };

  it('changes nothing if it is saved as it was opened', async () => {
    const policy = await makePolicy('Unchanged', {
      key: 'unchanged',
      match: { tags: ['a, b', 'c'], allTags: ['d'], types: ['tcp'] },
      on: ['maintenance', 'down'],
      steps: [
        { afterSeconds: 0, channelIds: [pager.id, ops.id] },
        { afterSeconds: 61, channelIds: [ops.id] },
      ],
      repeatEverySeconds: 301,
      quietHours: HOURS,
    });
    const path = `${PATH}/${policy.id}/edit`;
    await browser.open(path);
    expect((await browser.submit(path)).html).toContain('Policy saved.');
    expect(await policyNamed('Unchanged')).toEqual(policy);
  });

  it('removes steps, quiet hours and repeats', async () => {
    const { id } = await makePolicy('Reduced', {
      steps: [
        { afterSeconds: 0, channelIds: [ops.id] },
        { afterSeconds: 60, channelIds: [pager.id] },
      ],
      repeatEverySeconds: 600,
      quietHours: HOURS,
    });
    const path = `${PATH}/${id}/edit`;
    expect(sentenceOf((await browser.open(path)).html)).toBe(
      'Outages and recoveries of all monitors: ops immediately, pager after 1 minute unless acknowledged, repeated every 10 minutes until acknowledged. ops is also notified about monitors without data, offline locations and failing channels. Quiet hours from 22:00 to 07:00 (Europe/Berlin) on Saturday.',
    );
    const shorter = await browser.submit(path, { do: 'remove-step:0' });
    expect(shorter.html).not.toContain('id="policy-steps-1"');
    await browser.submit(path, { hours: 'none', repeatEverySeconds: '' });
    expect(await policyNamed('Reduced')).toMatchObject({
      steps: [{ afterSeconds: 60, channelIds: [pager.id] }],
      repeatEverySeconds: null,
      quietHours: null,
    });
  });

  it('updates the sentence without saving anything', async () => {
    const { id } = await makePolicy('Described');
    const path = `${PATH}/${id}/edit`;
    await browser.open(path);
    const { html } = await browser.submit(path, { do: 'refresh', scope: 'chosen', tags: 'production' });
    expect(sentenceOf(html)).toMatch(/^Outages and recoveries of monitors tagged production: ops immediately\./);
    expect(await policyNamed('Described')).toMatchObject({ revision: 1, match: { all: true } });
  });

  it('does not overwrite the change of somebody else unseen', async () => {
    const { id } = await makePolicy('Contested');
    const path = `${PATH}/${id}/edit`;
    await browser.open(path);
    await app.api(team.write).patch(`${API}/${id}`, { repeatEverySeconds: 900 });
    const refused = await browser.submit(path, { name: 'Contested by me' });
    expect(refused.status).toBe(412);
    expect(refused.html).toContain('Someone else changed this while you were editing');
    expect(await policyNamed('Contested')).toMatchObject({ repeatEverySeconds: 900 });
    expect((await browser.submit(path)).html).toContain('Policy saved.');
    expect(await policyNamed('Contested by me')).toMatchObject({ repeatEverySeconds: null });
  });
});

describe('the list of policies', () => {
  it('disables, enables and deletes a policy', async () => {
    const { id } = await makePolicy('Switched');
    await browser.open(NOTIFICATIONS);
    expect((await browser.submit(`${PATH}/${id}/disable`)).html).toContain('Policy disabled.');
    expect(await policyNamed('Switched')).toMatchObject({ enabled: false });
    expect((await browser.submit(`${PATH}/${id}/enable`)).html).toContain('Policy enabled.');
    expect(await policyNamed('Switched')).toMatchObject({ enabled: true });
    await browser.open(`${PATH}/${id}/delete`);
    expect((await browser.submit(`${PATH}/${id}/delete`)).html).toContain('Policy deleted.');
    expect(await policyNamed('Switched')).toBeUndefined();
  });

  it('offers no changes to a viewer', async () => {
    const viewer = await signIn(app, await makePerson(app, team.id, 'viewer'));
    const { html } = await viewer.open(NOTIFICATIONS);
    expect(html).toContain('Usual');
    expect(html).not.toContain(`${PATH}/`);
  });
});
