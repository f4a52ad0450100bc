import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type NotificationChannelDto } from '../src/modules/notification-channels/dto/notification-channel.dto.js';
import { type NotificationPolicyDto } from '../src/modules/notification-policies/dto/notification-policy.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type TestTeam } from './support/backstage.js';
import { type Browser } from './support/browser.js';
import { CHANNELS, isSignedBy, putChannel } from './support/channels.js';
import { makePerson, signIn } from './support/people.js';
import { useReceiver } from './support/receiver.js';

const PATH = '/settings/notifications';
const SHOWN_SECRET = /whsec_[\w+/]{30,}={0,2}/;
const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';

const receiver = useReceiver();
let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
});
afterAll(() => app.close());

/** Returns a new team, and a browser in which one of its editors is signed in. */
async function stage(): Promise<{ team: TestTeam; browser: Browser }> {
  const team = await app.backstage.makeTeam('Alerted');
  return { team, browser: await signIn(app, await makePerson(app, team.id, 'editor')) };
}

async function channelsOf(team: TestTeam): Promise<NotificationChannelDto[]> {
  return (await app.api(team.read).get<{ data: NotificationChannelDto[] }>(CHANNELS)).body.data;
}

async function policiesOf(team: TestTeam): Promise<NotificationPolicyDto[]> {
  return (await app.api(team.read).get<{ data: NotificationPolicyDto[] }>('/v1/notification-policies')).body.data;
}

describe('the page of notifications', () => {
  it('creates the first channel with a policy for all monitors, and sends it a test message', async () => {
    const { team, browser } = await stage();
    expect((await browser.open(PATH)).html).toContain('Nobody is notified.');
    await browser.open(`${PATH}/new?type=webhook`);
    await browser.submit(PATH, { name: 'Bot', url: `${receiver.origin}/hook` });
    const made = await browser.open(PATH);
    expect(made.html).not.toContain('Nobody is notified.');
    expect(made.html).toContain('Outages and recoveries of all monitors: Bot immediately.');
    const [channel] = await channelsOf(team);
    expect(channel).toMatchObject({ name: 'Bot', type: 'webhook', settings: { url: `${receiver.origin}/hook` } });
    expect(await policiesOf(team)).toMatchObject([
      { name: 'Everything', match: { all: true }, steps: [{ afterSeconds: 0, channelIds: [channel!.id] }] },
    ]);
    const tested = await browser.submit(`${PATH}/${channel!.id}/test`);
    expect(tested.html).toContain('Test message sent.');
    expect(receiver.only.json).toMatchObject({ data: { test: true } });
  });

  it('creates no policy if that is not wanted, nor offers one once there are policies', async () => {
    const { team, browser } = await stage();
    const { html } = await browser.open(`${PATH}/new?type=ntfy`);
    expect(html).toContain('Notify this channel about all monitors');
    await browser.submit(PATH, { name: 'Phone', topic: 'a-topic', everything: '' });
    expect(await channelsOf(team)).toHaveLength(1);
    expect(await policiesOf(team)).toEqual([]);
    const policy = {
      name: 'All',
      match: { all: true },
      steps: [{ afterSeconds: 0, channelIds: [(await channelsOf(team))[0]!.id] }],
    };
    expect(await app.api(team.write).post('/v1/notification-policies', policy)).toMatchObject({ status: 201 });
    expect((await browser.open(`${PATH}/new`)).html).not.toContain('Notify this channel about all monitors');
  });

  it('rejects a channel with every error beside its field and the input preserved', async () => {
    const { team, browser } = await stage();
    await browser.open(`${PATH}/new?type=webhook`);
    const { status, html } = await browser.submit(PATH, { name: '', url: 'ftp://bot.example/' });
    expect(status).toBe(422);
    expect(html).toContain('href="#channel-name"');
    expect(html).toContain('href="#channel-settings-url"');
    expect(html).toContain('value="ftp://bot.example/"');
    expect(await channelsOf(team)).toEqual([]);
  });

  it('edits a channel, keeps secrets that are left empty, and never shows them', async () => {
    const { team, browser } = await stage();
    const settings = {
      url: 'https://bot.example/',
      secret: SECRET,
      headers: { Authorization: 'Bearer s3cr3t', 'X-A': 'b' },
    };
    const { id } = await putChannel(app.api(team.write), 'bot', { settings });
    const { html } = await browser.open(`${PATH}/${id}/edit`);
    expect(html).not.toContain(SECRET);
    expect(html).not.toContain('s3cr3t');
    const saved = await browser.submit(`${PATH}/${id}/edit`, {
      name: 'Robot',
      enabled: 'false',
      headers: 'Authorization: ********',
    });
    expect(saved.html).toContain('Channel saved.');
    expect(saved.html).toContain('Disabled');
    const [row] = await app.query<{ settings: object }>('SELECT settings FROM notification_channels WHERE id = $1', [
      id,
    ]);
    expect(Object.keys((row!.settings as { headers: object }).headers)).toEqual(['Authorization']);
    expect(await channelsOf(team)).toMatchObject([{ name: 'Robot', enabled: false, settings: { secret: '********' } }]);
  });

  it.each([
    ['a new channel is refused', '', { name: '' }, 422],
    ['a change is refused', '/edit', { name: '' }, 422],
    ['a change conflicts with another one', '/edit', { revision: '7' }, 412],
  ])('asks again for secrets that were entered when %s', async (_, path, values, expected) => {
    const { team, browser } = await stage();
    const { id } = await putChannel(app.api(team.write), 'bot', { settings: { url: 'https://bot.example/' } });
    const action = path === '' ? PATH : `${PATH}/${id}${path}`;
    const empty = path === '' ? 'Leave empty to generate one.' : 'Leave empty to keep what is stored.';
    const opened = await browser.open(path === '' ? `${PATH}/new?type=webhook` : action);
    expect(opened.html).toContain(`Starts with whsec_. ${empty}`);
    expect(opened.html).not.toContain('<details class="group" open');
    const { status, html } = await browser.submit(action, { url: 'https://bot.example/', secret: SECRET, ...values });
    expect(status).toBe(expected);
    const again = 'Signing secret must be entered again before you save: it is never sent back to the browser.';
    expect(html).toContain(`<a href="#channel-settings-secret">${again}</a>`);
    expect(html).toContain(`id="channel-settings-secret-error">${again}`);
    expect(html).toContain('<details class="group" open');
    expect(html).not.toContain('Leave empty');
    expect(html).not.toContain(SECRET);
  });

  it('shows a generated secret once, with which messages are signed', async () => {
    const { team, browser } = await stage();
    await browser.open(`${PATH}/new?type=webhook`);
    const made = await browser.submit(PATH, { name: 'Bot', url: `${receiver.origin}/hook` });
    expect(made.html).toContain('it is not shown again');
    const [secret] = SHOWN_SECRET.exec(made.html)!;
    expect(made.html).toContain(`href="${PATH}?done=created"`);
    const { html } = await browser.open(`${PATH}?done=created`);
    expect(html).not.toContain(secret);
    const [channel] = await channelsOf(team);
    await browser.submit(`${PATH}/${channel!.id}/test`);
    expect(isSignedBy(secret, receiver.only)).toBe(true);
  });

  it('does not show a secret that was entered', async () => {
    const { team, browser } = await stage();
    await browser.open(`${PATH}/new?type=webhook`);
    const made = await browser.submit(PATH, { name: 'Bot', url: 'https://bot.example/', secret: SECRET });
    expect(made.path).toBe(`${PATH}?done=created`);
    expect(made.html).not.toContain(SECRET);
    expect(await channelsOf(team)).toHaveLength(1);
  });

  it('rotates the secret of a webhook for owners, and shows the new one once', async () => {
    const { team, browser: editor } = await stage();
    const { id } = await putChannel(app.api(team.write), 'bot', { settings: { url: `${receiver.origin}/hook` } });
    const phone = { name: 'Phone', type: 'ntfy', settings: { topic: 'a-topic' } };
    const { id: phoneId } = await putChannel(app.api(team.write), 'phone', phone);
    const rotation = `${PATH}/${id}/rotate`;
    expect((await editor.open(PATH)).html).not.toContain('/rotate"');
    expect((await editor.open(rotation)).status).toBe(403);

    const owner = await signIn(app, await makePerson(app, team.id, 'owner'));
    const { html } = await owner.open(PATH);
    expect(html).toContain(`href="${rotation}"`);
    expect(html).not.toContain(`href="${PATH}/${phoneId}/rotate"`);
    await owner.open(rotation);
    const rotated = await owner.submit(rotation);
    expect(rotated.html).toContain('For 24 hours, requests are also signed with the old secret.');
    const [secret] = SHOWN_SECRET.exec(rotated.html)!;
    await owner.open(PATH);
    await owner.submit(`${PATH}/${id}/test`);
    expect(isSignedBy(secret, receiver.only)).toBe(true);

    await owner.open(`${PATH}/${phoneId}/rotate`);
    const refused = await owner.submit(`${PATH}/${phoneId}/rotate`);
    expect(refused.status).toBe(409);
    expect(refused.html).toContain('The secrets of ntfy channels cannot be rotated here.');
  });

  it('reports why a test message was not sent', async () => {
    const { team, browser } = await stage();
    receiver.answer({ status: 410 });
    const { id } = await putChannel(app.api(team.write), 'bot', { settings: { url: `${receiver.origin}/gone` } });
    await browser.open(PATH);
    const { html } = await browser.submit(`${PATH}/${id}/test`);
    expect(html).toContain('Test message not sent');
    expect(html).toContain('(status 410)');
    expect((await browser.open(PATH)).html).toContain('Failing');
  });

  it('deletes a channel, unless a policy uses it', async () => {
    const { team, browser } = await stage();
    const { id } = await putChannel(app.api(team.write), 'bot');
    const policy = { name: 'Mine', match: { all: true }, steps: [{ afterSeconds: 0, channelIds: [id] }] };
    const { body } = await app.api(team.write).post<{ id: string }>('/v1/notification-policies', policy);
    await browser.open(`${PATH}/${id}/delete`);
    const refused = await browser.submit(`${PATH}/${id}/delete`);
    expect(refused.status).toBe(409);
    expect(refused.html).toContain('Mine');
    await app.api(team.write).delete(`/v1/notification-policies/${body.id}`);
    await browser.open(`${PATH}/${id}/delete`);
    expect((await browser.submit(`${PATH}/${id}/delete`)).html).toContain('Channel deleted.');
    expect(await channelsOf(team)).toEqual([]);
  });
});
