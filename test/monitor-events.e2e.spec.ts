import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { sharedApp, startApp, type TestApp } from './support/app.js';
import { type Browser } from './support/browser.js';
import { eventually } from './support/eventually.js';
import { EventReader, followed } from './support/event-reader.js';
import { unescaped } from './support/html-forms.js';
import { createMonitor, httpMonitor, untilStatus } from './support/monitors.js';
import { makePerson, signedIn, signIn } from './support/people.js';
import { startSwitchable, type Switchable } from './support/switchable.js';

let app: TestApp;
let target: Switchable;
const readers: EventReader[] = [];
beforeAll(async () => {
  app = await sharedApp();
  target = await startSwitchable();
});
afterAll(async () => {
  for (const reader of readers) reader.close();
  await app.close();
  await target.down();
});

/** Subscribes to the events of a page, as its script does. */
async function follow(browser: Browser, path: string): Promise<EventReader> {
  const reader = await followed(browser, unescaped((await browser.open(path)).html));
  readers.push(reader);
  return reader;
}

describe('an open page', () => {
  it('receives its monitors immediately, and again when they go down and up', async () => {
    const browser = await signedIn(app, 'viewer');
    const api = app.api(app.teams.ours.write);
    const { id } = await createMonitor(api, httpMonitor(target.url, { name: '<i>Watched</i>' }));
    await untilStatus(api, id, 'up');
    const events = await follow(browser, `/monitors/${id}`);
    expect(events.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(events.headers['x-accel-buffering']).toBe('no');
    expect(events.headers['cache-control']).toContain('no-store');
    expect(Math.abs(Date.now() - (await events.next('now')).ms)).toBeLessThan(30_000);
    const first = await events.next('monitor', (data) => data.mark === 'up');
    expect(first).toMatchObject({ id, title: '● <i>Watched</i> · Daywatch' });
    expect(first.parts.state).toContain('<strong>Up</strong>');

    await target.down();
    const down = await events.next('monitor', (data) => data.mark === 'down');
    expect(down.parts.sentence).toContain('Down since');
    expect(down.icon).toMatch(/^\/assets\/\w+\/down\.svg$/);
    await target.up();
    await events.next('monitor', (data) => data.mark === 'up');
  });

  it('receives monitors that are created and deleted by the API', async () => {
    const browser = await signedIn(app, 'viewer');
    const api = app.api(app.teams.ours.write);
    const { id } = await createMonitor(api, httpMonitor(target.url, { paused: true }));
    const events = await follow(browser, '/monitors');
    await events.next('monitor', (data) => data.id === id);
    await createMonitor(api, httpMonitor(target.url, { paused: true }));
    expect(await events.next('created')).toEqual({ count: 1 });
    await createMonitor(api, httpMonitor(target.url, { paused: true }));
    expect(await events.next('created')).toEqual({ count: 1 });
    await api.delete(`/v1/monitors/${id}`);
    await events.next('gone', (data) => data.id === id);
  });

  it('receives the number of monitors per state when it changes, including monitors it does not show', async () => {
    const browser = await signedIn(app, 'viewer');
    const api = app.api(app.teams.ours.write);
    const { id } = await createMonitor(api, httpMonitor(target.url, { paused: true }));
    const events = await follow(browser, '/monitors?q=nothing-is-called-so');
    const counted = ({ counts }: { counts: Record<string, number> }): number => counts.paused ?? 0;
    const before = counted(await events.next('counts'));
    expect(before).toBeGreaterThan(0);
    await api.delete(`/v1/monitors/${id}`);
    await events.next('counts', (data) => counted(data) === before - 1);
  });

  it('of one monitor receives new checks, figures and incidents, unlike a list', async () => {
    const browser = await signedIn(app, 'viewer');
    const api = app.api(app.teams.ours.write);
    const { id } = await createMonitor(api, httpMonitor(target.url, { paused: true }));
    const [page, list] = [await follow(browser, `/monitors/${id}`), await follow(browser, '/monitors')];
    const first = await page.next('evidence');
    expect(first.parts.checks).toContain('No checks yet.');
    expect(first.parts.incidents).toContain('No incidents yet.');
    await api.post(`/v1/monitors/${id}/resume`);
    const later = await page.next('evidence', ({ parts }) => parts.checks.includes(`/monitors/${id}/checks/`));
    expect(later.parts.figures).toContain('90 days');
    await list.next('monitor', (data) => data.id === id && data.mark === 'up');
    expect(list.text).not.toContain('event: evidence');
  });

  it('receives nothing about another team, regardless of the request', async () => {
    const browser = await signedIn(app, 'owner');
    const theirs = await createMonitor(app.api(app.teams.theirs.write), httpMonitor(target.url, { name: 'Foreign' }));
    const ours = await createMonitor(app.api(app.teams.ours.write), httpMonitor(target.url, { paused: true }));
    const events = await EventReader.open(
      browser,
      `/monitors/events?team=${app.teams.ours.id}&since=0&id=${theirs.id}&id=${ours.id}`,
    );
    readers.push(events);
    expect(await events.next('gone')).toEqual({ id: theirs.id });
    await untilStatus(app.api(app.teams.theirs.read), theirs.id, 'up');
    await app.api(app.teams.theirs.write).post(`/v1/monitors/${theirs.id}/pause`, {});
    await app.api(app.teams.ours.write).patch(`/v1/monitors/${ours.id}`, { name: 'Renamed' });
    await events.next('monitor', (data) => data.id === ours.id && data.title.includes('Renamed'));
    expect(events.text).not.toContain('Foreign');
    const other = await browser.call('GET', `/monitors/events?team=${app.teams.theirs.id}&id=${theirs.id}`);
    expect(other.status).toBe(204);
  });
});

describe('a page of another team', () => {
  it('receives nothing, even while the team of the monitor has it open', async () => {
    const api = app.api(app.teams.ours.write);
    const { id } = await createMonitor(api, httpMonitor(target.url, { name: 'Of ours', paused: true }));
    const page = await follow(await signedIn(app, 'viewer'), `/monitors/${id}`);
    const stranger = await signIn(app, await makePerson(app, app.teams.theirs.id, 'owner'));
    const path = `/monitors/events?team=${app.teams.theirs.id}&id=${id}&evidence=true&counts=true`;
    const events = await EventReader.open(stranger, path);
    readers.push(events);
    expect(await events.next('gone')).toEqual({ id });
    for (const name of ['Of ours, once', 'Of ours, twice']) {
      await api.patch(`/v1/monitors/${id}`, { name });
      await page.next('monitor', ({ title }) => title.includes(name));
    }
    expect(events.text).not.toContain('Of ours');
    expect(events.text).not.toMatch(/event: (monitor|evidence)/);
  });
});

describe('the events end', () => {
  it('with the session', async () => {
    const browser = await signedIn(app, 'viewer');
    const events = await follow(browser, '/monitors');
    await browser.submit('/sign-out');
    await events.ended();
    const again = await browser.call('GET', `/monitors/events?team=${app.teams.ours.id}`);
    expect(again.status).toBe(303);
  });

  it('with the membership', async () => {
    const person = await makePerson(app, app.teams.ours.id, 'viewer');
    const events = await follow(await signIn(app, person), '/');
    await app.query('DELETE FROM members WHERE user_id = $1', [person.userId]);
    await events.ended();
  });

  it('with the service, whose shutdown does not wait for open pages', async () => {
    const other = await startApp();
    const browser = await signedIn(other, 'viewer');
    const events = await followed(browser, unescaped((await browser.open('/')).html));
    await other.stop();
    await events.ended();
    await other.close();
  });
});

describe('a request for events', () => {
  it('is limited to a few pages per session', async () => {
    const browser = await signedIn(app, 'viewer');
    const path = `/monitors/events?team=${app.teams.ours.id}`;
    const open = await Promise.all(Array.from({ length: 6 }, () => EventReader.open(browser, path)));
    readers.push(...open);
    const refused = await browser.call('GET', path);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('30');
    open[0]!.close();
    await eventually(async () => {
      const reader = await EventReader.open(browser, path);
      readers.push(reader);
    });
  });

  it('is rejected with a time beyond the range of dates; the last valid time does not affect other pages', async () => {
    const browser = await signedIn(app, 'viewer');
    const path = `/monitors/events?team=${app.teams.ours.id}`;
    expect((await browser.call('GET', `${path}&since=8640000000000001`)).status).toBe(400);
    readers.push(await EventReader.open(browser, `${path}&since=8640000000000000`));
    const { id } = await createMonitor(app.api(app.teams.ours.write), httpMonitor(target.url, { paused: true }));
    const events = await EventReader.open(browser, `${path}&id=${id}`);
    readers.push(events);
    await events.next('monitor');
  });

  it('by HEAD responds with headers only', async () => {
    const browser = await signedIn(app, 'viewer');
    const { status, headers } = await browser.call('HEAD', `/monitors/events?team=${app.teams.ours.id}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  });

  it.each(['', 'team=x', 'id=x', 'since=-1', 'since=abc', 'counts=1', 'evidence=yes', `id=${randomUUID()}&more=1`])(
    'with the query %j is rejected',
    async (query) => {
      const browser = await signedIn(app, 'viewer');
      const team = query.startsWith('team') || query === '' ? '' : `team=${app.teams.ours.id}&`;
      expect((await browser.call('GET', `/monitors/events?${team}${query}`)).status).toBe(400);
    },
  );
});
