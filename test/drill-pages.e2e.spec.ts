import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Page } from '../src/http/lists/page.js';
import { type IncidentDto } from '../src/modules/incidents/dto/incident.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type TestTeam } from './support/backstage.js';
import { type Browser } from './support/browser.js';
import { type Client } from './support/client.js';
import { textOf } from './support/html-forms.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { makePerson, signIn } from './support/people.js';

let app: TestApp;
let team: TestTeam;
let api: Client;
let editor: Browser;
let viewer: Browser;
let monitorId: string;
beforeAll(async () => (app = await sharedApp()));
afterAll(() => app.close());
beforeEach(async () => {
  team = await app.backstage.makeTeam('Drilled');
  api = app.api(team.write);
  editor = await signIn(app, await makePerson(app, team.id, 'editor'));
  viewer = await signIn(app, await makePerson(app, team.id, 'viewer'));
  monitorId = (await createMonitor(api, httpMonitor('http://127.0.0.1:9/', { name: 'Shop', paused: true }))).id;
});

const open = async (path: string, who = editor): Promise<string> => textOf((await who.open(path)).html);
const drills = async (): Promise<IncidentDto[]> =>
  (await api.get<Page<IncidentDto>>('/v1/incidents?kind=drill')).body.data;
/** Starts a drill by the form, and returns the path of its page. */
async function start(endAfterSeconds = '900') {
  await editor.open(`/monitors/${monitorId}/drill`);
  return editor.submit(`/monitors/${monitorId}/drill`, { endAfterSeconds });
}

describe('the page of a monitor', () => {
  it('offers a drill to those who may start one, and then links to it', async () => {
    const link = `href="/monitors/${monitorId}/drill"`;
    expect((await editor.open(`/monitors/${monitorId}`)).html).toContain(link);
    expect((await viewer.open(`/monitors/${monitorId}`)).html).not.toContain(link);
    const { path } = await start();
    for (const who of [editor, viewer]) {
      const { html } = await who.open(`/monitors/${monitorId}`);
      expect(html).not.toContain(link);
      expect(html).toContain(`<a href="${path.split('?')[0]}">A drill is in progress</a>`);
      expect(textOf(html)).toMatch(/Drill: Shop Drill Open/);
    }
  });
});

describe('the page that starts a drill', () => {
  it('asks first, and leads to the incident', async () => {
    const asked = await open(`/monitors/${monitorId}/drill`);
    expect(asked).toContain('A drill notifies people as if Shop had just gone down');
    expect(await drills()).toEqual([]);
    const { path, html } = await start('300');
    const [drill] = await drills();
    expect(path).toBe(`/incidents/${drill!.id}?done=drilling`);
    expect(Date.parse(drill!.endsAt!) - Date.parse(drill!.startedAt)).toBe(300_000);
    expect(html).toMatch(/<h1><span dir="auto">Drill: Shop<\/span><span class="tag">Drill<\/span><\/h1>/);
    const text = textOf(html);
    expect(text).toContain('Drill started.');
    expect(text).toMatch(/This is a drill\. There is no outage; .* It ends at .* UTC , or a minute after someone/);
    expect(text).not.toContain('Post an update');
    expect(html).not.toContain(`/incidents/${drill!.id}/edit`);
  });

  it('says why a drill cannot be started', async () => {
    await start();
    const { status, html } = await start();
    expect(status).toBe(409);
    expect(textOf(html)).toContain('This monitor already has an open drill');
    expect(await drills()).toHaveLength(1);
  });

  it('rejects a length that it does not offer', async () => {
    const { status, html } = await start('5');
    expect(status).toBe(422);
    expect(textOf(html)).toContain('Ends after must be 1 minute or more');
  });

  it('is not for viewers', async () => {
    expect((await viewer.open(`/monitors/${monitorId}/drill`)).status).toBe(403);
  });
});

describe('the page of a drill', () => {
  it('ends it', async () => {
    const path = (await start()).path.split('?')[0]!;
    const { html } = await editor.submit(`${path}/resolve`);
    expect(textOf(html)).toMatch(/Drill ended\..*This was a drill\. No outage happened\. It lasted/);
    expect(html).not.toContain(`${path}/reopen`);
    expect(await drills()).toMatchObject([{ status: 'resolved' }]);
  });

  it('adds notes for the team', async () => {
    const path = (await start()).path.split('?')[0]!;
    const { html } = await editor.submit(`${path}/updates`, { text: 'The phone rang.' });
    expect(html).toContain('The phone rang.');
    expect(await drills()).toMatchObject([{ updates: [{ phase: 'note', public: false, text: 'The phone rang.' }] }]);
  });

  it('says when it ends once it is acknowledged', async () => {
    const path = (await start()).path.split('?')[0]!;
    const { html } = await editor.submit(`${path}/acknowledge`);
    expect(textOf(html)).toMatch(/It ends at [^,]* UTC \./);
  });

  it('cannot be edited', async () => {
    const path = (await start()).path.split('?')[0]!;
    expect((await editor.open(`${path}/edit`)).path).toBe(path);
  });
});

describe('lists of incidents', () => {
  it('mark drills and can be filtered to them, and the overview shows none', async () => {
    await start();
    expect(await open('/incidents')).toMatch(/1 Open.*Drill: Shop Drill Open/);
    expect((await editor.open('/incidents?kind=drill')).html).toContain('<option value="drill" selected');
    expect(await open('/incidents?kind=drill')).toContain('Drill: Shop');
    expect(await open('/incidents?kind=manual')).not.toContain('Drill: Shop');
    const overview = await open('/');
    expect(overview).not.toContain('Drill: Shop');
    expect(overview).toContain('No incidents yet');
  });
});
