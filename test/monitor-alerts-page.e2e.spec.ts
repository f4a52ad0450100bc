import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from './support/app.js';
import { type TestTeam } from './support/backstage.js';
import { type Browser } from './support/browser.js';
import { putChannel } from './support/channels.js';
import { type Client } from './support/client.js';
import { HOSTILE } from './support/console.js';
import { textOf, unescaped } from './support/html-forms.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { makePerson, signIn } from './support/people.js';

let app: TestApp;
let team: TestTeam;
let api: Client;
let editor: Browser;
let id: string;
beforeAll(async () => (app = await sharedApp()));
afterAll(() => app.close());
beforeEach(async () => {
  team = await app.backstage.makeTeam('Alerts');
  api = app.api(team.write);
  editor = await signIn(app, await makePerson(app, team.id, 'editor'));
  ({ id } = await createMonitor(api, httpMonitor('http://127.0.0.1:9/', { paused: true, tags: ['production'] })));
});

const policy = async (channels: string[][], more: object = {}) => {
  const steps = channels.map((channelIds, at) => ({ afterSeconds: 300 * at, channelIds }));
  const body = { name: 'Production', match: { tags: ['production'] }, steps, ...more };
  expect(await api.post('/v1/notification-policies', body)).toMatchObject({ status: 201 });
};
/** Creates or changes the channel of this name. */
const channel = async (name: string, more: object = {}) =>
  (await putChannel(api, `c-${Buffer.from(name).toString('hex').slice(0, 20)}`, { name, ...more })).id;
const section = async (query = '', who = editor) => {
  const { html, status } = await who.open(`/monitors/${id}${query}`);
  const [part] = /<section aria-labelledby="notified">.*?<\/section>/s.exec(html)!;
  return { part, text: textOf(part), status };
};

describe('the page of a monitor', () => {
  it('says that nobody is notified, why, and where that changes', async () => {
    const first = await section();
    expect(first.text).toContain(
      'Nobody is notified when this monitor is down. Your team has no notification channel yet.',
    );
    expect(first.part).toContain('<a class="button plain" href="/settings/notifications/new">Create a channel</a>');
    const ops = await channel('Ops');
    expect((await section()).text).toContain('No notification policy applies to this monitor.');
    expect((await section()).part).toContain('href="/settings/notifications">Choose who is notified</a>');
    await policy([[ops]], { on: ['degraded'] });
    expect((await section()).text).toContain('do not include outages. Choose');
    await policy([[ops]]);
    expect((await section()).text).not.toContain('Nobody');
    await channel('Ops', { enabled: false });
    expect((await section()).text).toContain('The channels of the policies that apply to this monitor are disabled.');
    const viewer = await signIn(app, await makePerson(app, team.id, 'viewer'));
    expect((await section('', viewer)).part).not.toContain('class="button plain" href');
  });

  it('says in sentences who is notified', async () => {
    await policy([[await channel('Ops')], [await channel(HOSTILE)]], { repeatEverySeconds: 1_800 });
    await policy([[await channel('Ops')]], { name: 'Off', enabled: false, on: ['unknown'] });
    const { text, part } = await section();
    expect(text).toContain(
      `Production Outages: Ops immediately, ${HOSTILE} after 5 minutes, again every 30 minutes unless acknowledged. Missing data: Ops. Off Missing data: Ops. Disabled`,
    );
    expect(part).not.toContain(HOSTILE);
  });

  it('answers who would be notified, and when', async () => {
    const quietHours = { timezone: 'Europe/Berlin', from: '22:00', to: '07:00', except: [] };
    await policy([[await channel('Ops')], [await channel('On call')]], { repeatEverySeconds: 3_600 });
    await policy([[await channel('Quiet one')]], { quietHours });
    const { text } = await section('?event=down&at=2030-01-06T03:00&zone=Europe/Berlin');
    expect(text).toContain(
      'If it goes down on Sunday, 6 Jan 2030, 03:00 CET, and nobody acknowledges it within 24 hours',
    );
    expect(text).toContain('Ops Alert 03:00 CET On call Alert, step 2 03:05 CET');
    expect(text).toContain('Quiet one Alert 07:00 CET');
    expect(text).toMatch(/On call Reminder, 23 times from 04:05 CET/);
  });

  it('says that nobody would be notified, and why', async () => {
    const query = '?event=down&at=2030-01-06T03:00&zone=UTC';
    expect((await section(query)).text).toContain('nobody is notified: Not notified. No notification policy applies.');
    await policy([[await channel('Ops', { enabled: false })]]);
    expect((await section(query)).text).toContain('Ops (disabled) Not notified. The channel is disabled.');
    const other = (await section('?event=maintenance&at=2030-01-06T03:00&zone=UTC')).text;
    expect(other).toContain('If it enters maintenance on Sunday');
    expect(other).toContain('No policy notifies anyone about this.');
  });

  it.each([
    ['event=gone&at=2030-01-06T03:00&zone=UTC', 'forecast-event-error'],
    ['event=down&at=tomorrow&zone=UTC', 'forecast-at-error'],
    ['event=down&at=&zone=UTC', 'forecast-at-error'],
    ['event=down&at=2030-01-06T03:00&zone=Nowhere', 'forecast-zone-error'],
  ])('reports a bad question (%s) at its field', async (query, error) => {
    const { status, part } = await section(`?${query}`);
    expect(status).toBe(422);
    expect(part).toContain(`id="${error}"`);
    expect(part).toContain('<details class="forecast" open>');
  });

  it('asks about next Sunday unless asked otherwise', async () => {
    const { part } = await section();
    const [, at] = /name="at"[^>]*value="(\d{4}-\d\d-\d\d)T03:00"/.exec(part)!;
    expect(new Date(at!).getUTCDay()).toBe(0);
    expect(part).toContain('<details class="forecast">');
  });
});

describe('the overview', () => {
  it('warns of monitors that nobody hears of, and offers the first channel', async () => {
    const { html } = await editor.open('/');
    expect(textOf(html)).toContain(
      'Nobody is notified of outages. Your team has no notification channel yet. Create a channel',
    );
    expect(html).toContain('<a href="/settings/notifications/new">Create a notification channel</a>');
    const { html: form } = await editor.open('/settings/notifications/new');
    expect(form).toContain('Everything');
    await policy([[await channel('Ops')]]);
    const done = (await editor.open('/')).html;
    expect(done).not.toContain('Nobody is notified');
    expect(textOf(done)).toContain('Create a notification channel (done)');
    await createMonitor(api, httpMonitor('http://127.0.0.1:9/', { name: 'Unheard', paused: true }));
    const partly = (await editor.open('/')).html;
    expect(textOf(partly)).toContain('Nobody is notified of outages of 1 monitor . Choose who is notified');
    const [, list] = /of outages of <a href="([^"]*)"/.exec(partly)!;
    const { html: unheard } = await editor.open(unescaped(list!));
    expect(textOf(unheard)).toContain('1–1 of 1');
    expect(unheard).toMatch(/<option value="false" selected>/);
  });
});
