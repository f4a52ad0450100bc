import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '../src/domain/durations.js';
import { type Page } from '../src/http/lists/page.js';
import { type IncidentDto } from '../src/modules/incidents/dto/incident.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Browser } from './support/browser.js';
import { type Client } from './support/client.js';
import { quietMonitor, stranger } from './support/console.js';
import { eventually } from './support/eventually.js';
import { followed } from './support/event-reader.js';
import { unescaped } from './support/html-forms.js';
import { reportIncident } from './support/incidents.js';
import { createMonitor, httpMonitor, untilStatus } from './support/monitors.js';
import { makePerson, signedIn, signIn } from './support/people.js';
import { answers, startTarget, type Target } from './support/target.js';

let app: TestApp;
let api: Client;
let target: Target;
beforeAll(async () => {
  [app, target] = await Promise.all([sharedApp(), startTarget()]);
  api = app.api(app.teams.ours.write);
});
afterAll(async () => {
  await app.close();
  await target.close();
});

/** Returns the texts of the entries in a section of the overview. */
function entriesIn(html: string, section: string): string[] {
  const [, body] = new RegExp(`<section aria-labelledby="${section}">([^]*?)</section>`).exec(html) ?? [];
  return [...(body ?? '').matchAll(/<li[^>]*>([^]*?)<\/li>/g)].map(([, entry]) => textOf(entry!));
}

function textOf(html: string): string {
  return unescaped(html.replaceAll(/<[^>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Creates a monitor whose checks fail, and waits until it is down and has its incident. */
async function downMonitor(name: string): Promise<{ id: string; incidentId: string }> {
  target.behave('/down', answers(503));
  const { id } = await createMonitor(api, httpMonitor(target.url('/down'), { name, failureThreshold: 1 }));
  await untilStatus(api, id, 'down');
  const incidentId = await eventually(async () => {
    const { body } = await api.get<Page<IncidentDto>>(`/v1/monitors/${id}/incidents`);
    expect(body.data).toHaveLength(1);
    return body.data[0]!.id;
  });
  return { id, incidentId };
}

describe('a team without monitors', () => {
  it('sees how to create the first one, and the wallboard has no state', async () => {
    const browser = await stranger(app);
    const { html } = await browser.open('/');
    expect(html).toContain('A monitor checks a URL, a port');
    expect(html).toContain('href="/monitors/new"');
    expect(html).toContain('data-live-first');
    expect(entriesIn(html, 'recent-incidents')).toEqual([]);
    const viewer = await signIn(app, await makePerson(app, app.teams.theirs.id, 'viewer'));
    expect(viewer.page.html).toContain('an editor or owner can create one');
    expect(viewer.page.html).not.toContain('href="/monitors/new"');
    expect((await browser.open('/wall')).html).toMatch(/<title>○ [^<]*: No monitors yet/);
  });
});

it.each([
  ['an owner', 'owner', true],
  ['an editor, who cannot invite anyone', 'editor', false],
] as const)('shows the next steps of %s', async (_, role, isInvited) => {
  const team = await app.backstage.makeTeam('Beginners');
  await createMonitor(app.api(team.write), httpMonitor('http://127.0.0.1:9/', { paused: true }));
  const browser = await signIn(app, await makePerson(app, team.id, role));
  const steps = entriesIn((await browser.open('/')).html, 'next-steps');
  expect(steps).toContain('Create a status page');
  expect(steps.includes('Invite your team')).toBe(isInvited);
});

describe('the overview', () => {
  let viewer: Browser;
  let down: { id: string; incidentId: string };
  beforeAll(async () => {
    await quietMonitor(app, 'Paused');
    target.behave('/up', answers(200));
    const { id } = await createMonitor(api, httpMonitor(target.url('/up'), { name: 'Steady', tags: ['shop'] }));
    down = await downMonitor('Checkout <b>');
    await untilStatus(api, id, 'up');
    viewer = await signedIn(app, 'viewer');
  });

  const attention = async () => entriesIn((await viewer.open('/')).html, 'attention');

  it('states what is wrong, and shows it in the tab', async () => {
    const { html } = await viewer.open('/');
    expect(html).toContain('<title>▲ Overview · Daywatch</title>');
    expect(html).toMatch(/<div class="standing down hero">.*?<strong>1 monitor down<\/strong>/);
    const chips = [
      ...html.matchAll(/<li data-live-state="\w+"><a class="chip" href="([^"]*)">.*?<strong>(\d+)<\/strong> ([^<]*)/g),
    ];
    expect(chips.map(([, href, count, word]) => `${count} ${word}: ${href}`)).toEqual([
      '1 Down: /monitors?status=down',
      '1 Paused: /monitors?status=paused',
      '1 Up: /monitors?status=up',
    ]);
  });

  it('lists the monitors that need attention with their cause, and who has acknowledged the incident', async () => {
    const cause = 'Checkout <b> Unexpected status 503 (expected 2xx).';
    expect(await attention()).toEqual([
      expect.stringMatching(new RegExp(`^${cause.replaceAll(/[()]/g, '\\$&')} Not acknowledged Down for \\d+`)),
    ]);
    expect(viewer.page.html).toContain(`href="/monitors/${down.id}"`);
    expect(viewer.page.html).toContain(`href="/incidents/${down.incidentId}"`);
    // Its incident is not listed a second time.
    expect(entriesIn(viewer.page.html, 'recent-incidents')).toEqual([]);
    expect(viewer.page.html).toContain('No other incidents yet.');
    const editor = await signIn(app, await makePerson(app, app.teams.ours.id, 'editor', 'Ada <i>'));
    await editor.open(`/incidents/${down.incidentId}`);
    await editor.submit(`/incidents/${down.incidentId}/acknowledge`);
    expect((await attention())[0]).toContain('Acknowledged by Ada <i>');
  });

  it('lists the worst monitors first, and links to the others', async () => {
    // Longer than a busy machine delays this process, which does not count as part of the response time.
    target.behave('/slow', (response) => void setTimeout(() => response.end('late'), 500));
    const slow = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        createMonitor(api, httpMonitor(target.url('/slow'), { name: `Slow ${index}`, degradedAfterMs: 1 })),
      ),
    );
    try {
      await Promise.all(slow.map(({ id }) => untilStatus(api, id, 'degraded')));
      const shown = await attention();
      expect(shown).toHaveLength(8);
      expect(shown[0]).toContain('Checkout');
      // On a busy machine, a late check of the monitor that is up needs attention as well.
      const others = shown.slice(1).filter((text) => !text.startsWith('Steady '));
      expect(others.length).toBeGreaterThanOrEqual(6);
      expect(others.filter((text) => !text.includes('Degraded'))).toEqual([]);
      const [, all] = /<a href="\/monitors">Show all (\d+)<\/a>/.exec(viewer.page.html) ?? [];
      expect(Number(all)).toBeGreaterThanOrEqual(9);
    } finally {
      for (const { id } of slow) await api.delete(`/v1/monitors/${id}`);
    }
  });

  it('lists recent incidents, current and next maintenance, and the figures of the week', async () => {
    await reportIncident(api, [down.id], { title: 'Payments are delayed' });
    const hour = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();
    for (const [name, startsAt, endsAt] of [
      ['Next week', hour(24 * 7), hour(24 * 7 + 1)],
      ['Right now', hour(0), hour(1)],
    ] as const) {
      const answer = await api.post('/v1/maintenance-windows', { name, monitorIds: [down.id], startsAt, endsAt });
      expect(answer.status).toBe(201);
    }
    const { html } = await viewer.open('/');
    expect(entriesIn(html, 'recent-incidents').map((text) => text.split(' just')[0]!.slice(0, 20))).toEqual([
      'Payments are delayed',
      'Checkout <b> is down',
    ]);
    const windows = entriesIn(html, 'next-maintenance');
    expect(windows[0]).toMatch(/^Right now .*In progress.*until \d{4}-/);
    expect(windows[1]).toMatch(/^Next week \d{4}-/);
    expect(html).toContain('>shop<');
  });

  it('lists the maintenance that begins next, however much is scheduled later', async () => {
    const day = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
    for (const [name, days] of [
      ['Tomorrow', 1],
      ['Next month', 30],
      ['In spring', 90],
      ['In summer', 180],
    ] as const) {
      const times = { startsAt: day(days), endsAt: day(days + 0.1) };
      expect((await api.post('/v1/maintenance-windows', { name, monitorIds: [down.id], ...times })).status).toBe(201);
    }
    const windows = entriesIn((await viewer.open('/')).html, 'next-maintenance');
    expect(windows.map((text) => text.split(/ \d{4}-| In progress/)[0])).toEqual([
      'Right now',
      'Tomorrow',
      'Next week',
    ]);
  });

  it('offers changes to editors only', async () => {
    expect(viewer.page.html).not.toContain('href="/monitors/new"');
    expect((await (await signedIn(app, 'editor')).open('/')).html).toContain('href="/monitors/new"');
    expect(unescaped(viewer.page.html)).toContain(`'${app.origin}/v1/overview'`);
  });

  it('follows the number of monitors in each state', async () => {
    const events = await followed(viewer, unescaped((await viewer.open('/')).html));
    try {
      await quietMonitor(app, 'Paused as well');
      await events.next('counts', ({ counts }) => counts.paused === 2);
    } finally {
      events.close();
    }
  });
});

describe('a monitor that is down while many newer incidents are open', () => {
  it('shows who has acknowledged its incident', async () => {
    const { id, incidentId } = await downMonitor('Long down');
    await api.post(`/v1/incidents/${incidentId}/acknowledge`);
    await reportIncident(api, [id], { title: 'Storm' });
    await app.query(
      `INSERT INTO incidents (id, team_id, revision, kind, title, impact, started_at, created_at, updated_at)
       SELECT gen_random_uuid(), team_id, 1, 'manual', 'Storm', 'none', now(), now(), now()
       FROM incidents, generate_series(1, 101) WHERE id = $1`,
      [incidentId],
    );
    try {
      const { html } = await (await signedIn(app, 'viewer')).open('/');
      const entry = entriesIn(html, 'attention').find((text) => text.startsWith('Long down'));
      expect(entry).toContain('Acknowledged by an API key');
    } finally {
      await app.query(`DELETE FROM incidents WHERE title = 'Storm'`);
      await api.delete(`/v1/monitors/${id}`);
    }
  });
});

describe('the wallboard', () => {
  it('is dark, shows the worst monitors first with their cause, and reloads itself without a script', async () => {
    const viewer = await signedIn(app, 'viewer');
    const { html } = await viewer.open('/wall');
    expect(html).toContain('data-theme="dark"');
    expect(html).toContain('<noscript><meta http-equiv="refresh" content="60"/></noscript>');
    const tiles = [...html.matchAll(/<li class="tile (\w+)">([^]*?)<\/li>/g)];
    expect(tiles.map(([, mark, tile]) => `${mark}: ${textOf(tile!).split(' ')[0]}`).sort()).toEqual([
      'maintenance: Checkout',
      'paused: Paused',
      'paused: Paused',
      'up: Steady',
    ]);
    expect(html).not.toContain('<form');
  });

  it('shows at most 60 monitors, and how many there are', async () => {
    const browser = await stranger(app);
    const theirs = app.api(app.teams.theirs.write);
    for (let index = 0; index < 61; index += 1) {
      await createMonitor(theirs, httpMonitor('http://127.0.0.1:9/', { name: `Many ${index}`, paused: true }));
    }
    const { html } = await browser.open('/wall');
    expect(html.match(/<li class="tile /g)).toHaveLength(60);
    expect(html).toContain('Showing the 60 worst of 61 monitors.');
    expect(html).toContain('All monitors are paused');
  });
});
