import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../src/domain/durations.js';
import { type Page } from '../src/http/lists/page.js';
import { type EventDto } from '../src/modules/events/dto/event.dto.js';
import { type ExclusionDto } from '../src/modules/exclusions/dto/exclusion.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type TestTeam } from './support/backstage.js';
import { type Browser } from './support/browser.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { textOf, unescaped } from './support/html-forms.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { makePerson, signIn } from './support/people.js';

let app: TestApp;
let team: TestTeam;
let api: Client;
let editor: Browser;
let viewer: Browser;
let monitorId: string;
let path: string;
beforeAll(async () => (app = await sharedApp()));
afterAll(() => app.close());
beforeEach(async () => {
  team = await app.backstage.makeTeam('Excluding');
  api = app.api(team.write);
  editor = await signIn(app, await makePerson(app, team.id, 'editor', 'Ada'));
  viewer = await signIn(app, await makePerson(app, team.id, 'viewer'));
  monitorId = await still('Shop');
  path = `/monitors/${monitorId}/exclusions`;
});

const still = async (name: string, more: object = {}): Promise<string> =>
  (await createMonitor(api, httpMonitor('http://127.0.0.1:9/', { name, paused: true, ...more }))).id;
const open = async (at: string, who = editor): Promise<string> => textOf((await who.open(at)).html);
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
/** An hour that ended so many days ago. */
const hour = (daysAgo: number) => ({ from: ago(daysAgo * DAY_MS + HOUR_MS), to: ago(daysAgo * DAY_MS) });

async function exclude(more: object = {}): Promise<string> {
  const body = { monitorIds: [monitorId], ...hour(1), reason: 'A load test', ...more };
  const answer = await api.post<ExclusionDto>('/v1/exclusions', body);
  expect(answer.status).toBe(201);
  return answer.body.id;
}

const list = async (query = ''): Promise<ExclusionDto[]> =>
  (await api.get<Page<ExclusionDto>>(`/v1/exclusions${query}`)).body.data;

const VALID = {
  from: '2026-01-06T02:30',
  to: '2026-01-06T04:30',
  timezone: 'Europe/Berlin',
  reason: 'Provider outage',
};

/** Excludes time by the form. */
async function submit(values: Record<string, string> = {}) {
  await editor.open(`${path}/new`);
  return editor.submit(`${path}/new`, { ...VALID, ...values });
}

describe('the page of a monitor', () => {
  it('lists what was excluded in the last 90 days, with the reason and the author', async () => {
    await exclude({ tags: [], reason: 'By <a> key' });
    await exclude({ ...hour(95), reason: 'Long ago' });
    const { from, to } = hour(2);
    await submit({ from: from.slice(0, 16), to: to.slice(0, 16), timezone: 'UTC', reason: 'By a person' });
    for (const who of [editor, viewer]) {
      const text = await open(`/monitors/${monitorId}`, who);
      const moment = (iso: string) => `${iso.slice(0, 16).replace('T', ' ')} UTC`;
      expect(text).toContain(`${moment(from)} – ${moment(to)} 1 hour By a person Ada ,`);
      expect(text).toMatch(/1 hour By <a> key an API key ,/);
      expect(text).not.toContain('Long ago');
      expect(await open(path, who)).toContain('Long ago');
    }
  });

  it('lists what was excluded by a tag, and at most five exclusions', async () => {
    monitorId = await still('Tagged', { tags: ['payments'] });
    for (let day = 1; day <= 6; day += 1) {
      await exclude({ monitorIds: [], tags: ['payments'], ...hour(day), reason: `Test ${day}.` });
    }
    const text = await open(`/monitors/${monitorId}`);
    for (let day = 2; day <= 6; day += 1) expect(text).toContain(`Test ${day}.`);
    expect(text).not.toContain('Test 1.');
    expect(await open(`/monitors/${monitorId}/exclusions`)).toContain('Test 1.');
  });

  it('offers to exclude time to those who may, and has no section for others until something is excluded', async () => {
    const link = `href="${path}/new"`;
    expect((await editor.open(`/monitors/${monitorId}`)).html).toContain(link);
    expect(await open(`/monitors/${monitorId}`, viewer)).not.toContain('Exclusions');
    const id = await exclude();
    const { html } = await viewer.open(`/monitors/${monitorId}`);
    expect(textOf(html)).toContain('Exclusions');
    expect(html).not.toContain(link);
    expect(html).not.toContain(`${path}/${id}/delete`);
    expect((await editor.open(`/monitors/${monitorId}`)).html).toContain(`href="${path}/${id}/delete"`);
  });

  it('names the command that lists exclusions', async () => {
    expect(await open(`/monitors/${monitorId}`)).toContain(`'${app.origin}/v1/exclusions?monitorId=${monitorId}'`);
  });
});

describe('the list of exclusions', () => {
  it('continues on further pages, whose cursors belong to the monitor', async () => {
    await Promise.all(Array.from({ length: 51 }, () => exclude()));
    const { html } = await viewer.open(path);
    const [, next] = /<a href="([^"]*)">Older exclusions/.exec(html)!;
    const second = await viewer.open(unescaped(next!));
    const rows = (page: string) => page.match(/A load test/g)!.length;
    expect([rows(html), rows(second.html)]).toEqual([50, 1]);
    const other = await still('Other');
    const { status } = await viewer.open(unescaped(next!).replace(monitorId, other));
    expect(status).toBe(400);
  });

  it('of a monitor without any is empty', async () => {
    expect(await open(path, viewer)).toContain('No excluded time.');
  });
});

describe('the form that excludes time', () => {
  it('interprets its times in its time zone, and records the author', async () => {
    const { path: at, html } = await submit();
    expect(at).toBe(`${path}?done=excluded`);
    expect(textOf(html)).toContain('Time excluded. The figures no longer count it.');
    const [made] = await list();
    expect(made).toMatchObject({
      monitorIds: [monitorId],
      tags: [],
      from: '2026-01-06T01:30:00.000Z',
      to: '2026-01-06T03:30:00.000Z',
      reason: 'Provider outage',
      createdBy: expect.stringMatching(/^user:/),
    });
    await eventually(async () => {
      const { body } = await app.api(team.admin).get<Page<EventDto>>(`/v1/events?resourceId=${made!.id}`);
      expect(body.data).toMatchObject([{ type: 'exclusion.created', actor: { type: 'person', name: 'Ada' } }]);
    });
  });

  const future = new Date(Date.now() + DAY_MS).toISOString().slice(0, 16);
  it.each<[string, Record<string, string>, string, string]>([
    ['without a start', { from: '' }, 'from', 'From is required'],
    ['without an end', { to: '' }, 'to', 'To is required'],
    ['without a reason', { reason: ' ' }, 'reason', 'Reason '],
    ['with its end first', { to: '2026-01-06T02:00' }, 'from', 'From must be before to.'],
    ['that ends in the future', { to: future }, 'to', 'An exclusion must be entirely in the past.'],
    ['longer than a year', { from: '2024-01-01T00:00' }, 'from', 'An exclusion covers at most 366 days.'],
    ['in an unknown time zone', { timezone: 'Europe/Atlantis' }, 'timezone', 'Time zone must be '],
    ['with text for a time', { from: 'yesterday' }, 'from', 'From must be '],
  ])('rejects time %s beside the field, and keeps the input', async (_name, values, field, words) => {
    const { status, html } = await submit(values);
    expect(status).toBe(422);
    expect(html).toContain(`href="#exclusion-${field}"`);
    expect(textOf(/<p class="error" id="exclusion-\w+-error">[^]*?<\/p>/.exec(html)![0])).toContain(words);
    expect(Object.fromEntries(editor.form(`${path}/new`).fields)).toMatchObject({ ...VALID, ...values });
    expect(await list()).toEqual([]);
  });

  it('suggests the time zone of the reader until one was sent', async () => {
    expect((await editor.open(`${path}/new`)).html).toContain('data-own-zone');
    expect((await submit({ reason: '' })).html).not.toContain('data-own-zone');
  });
});

describe('the page that deletes an exclusion', () => {
  it('asks first, and then restores the figures', async () => {
    const id = await exclude();
    const asked = await open(`${path}/${id}/delete`);
    expect(asked).toContain('A load test');
    expect(asked).not.toContain('It is deleted for all monitors');
    expect(await list()).toHaveLength(1);
    const { path: at, html } = await editor.submit(`${path}/${id}/delete`);
    expect(at).toBe(`${path}?done=deleted`);
    expect(textOf(html)).toContain('No excluded time.');
    expect(await list('?deleted=true')).toMatchObject([{ id, deletedBy: expect.stringMatching(/^user:/) }]);
  });

  it('names everything that the exclusion applies to', async () => {
    const other = await still('Checkout', { tags: ['payments'] });
    const id = await exclude({ monitorIds: [monitorId, other], tags: ['payments'] });
    expect(await open(`${path}/${id}/delete`)).toContain(
      'It is deleted for all monitors that it applies to: Shop , Checkout Every monitor that was tagged payments',
    );
  });

  it('is not found for an exclusion that is deleted, or of another monitor', async () => {
    const id = await exclude();
    const other = await still('Other');
    await editor.open('/');
    const form = { _token: editor.formToken };
    for (const at of [`/monitors/${other}/exclusions/${id}`, `${path}/${randomUUID()}`, `${path}/none`]) {
      expect((await editor.open(`${at}/delete`)).status).toBe(404);
      expect((await editor.call('POST', `${at}/delete`, { form })).status).toBe(404);
    }
    expect(await list()).toHaveLength(1);
    expect((await editor.call('POST', `${path}/${id}/delete`, { form })).status).toBe(303);
    expect((await editor.call('POST', `${path}/${id}/delete`, { form })).status).toBe(404);
    expect((await editor.open(`${path}/${id}/delete`)).status).toBe(404);
  });
});
