import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '../src/domain/durations.js';
import { type MaintenanceWindowDto } from '../src/modules/maintenance/dto/maintenance-window.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { HOSTILE, quietMonitor, stranger } from './support/console.js';
import { unescaped } from './support/html-forms.js';
import { signedIn } from './support/people.js';

const PATH = '/maintenance';
const API = '/v1/maintenance-windows';

let app: TestApp;
let api: Client;
let monitorId: string;
beforeAll(async () => {
  app = await sharedApp();
  api = app.api(app.teams.ours.write);
  monitorId = await quietMonitor(app, 'Checkout');
});
afterAll(() => app.close());

async function plan(more: Record<string, unknown> = {}): Promise<MaintenanceWindowDto> {
  const body = { name: 'Database upgrade', monitorIds: [monitorId], ...more };
  const answer = await api.post<MaintenanceWindowDto>(API, body);
  expect(answer.status).toBe(201);
  return answer.body;
}

const stored = async (id: string) => (await api.get<MaintenanceWindowDto>(`${API}/${id}`)).body;
const endOf = async (id: string): Promise<number> => Date.parse((await stored(id)).activeUntil!);
const idOf = (path: string): string => /^\/maintenance\/([0-9a-f-]{36})/.exec(path)![1]!;
/** Returns the labels of the main buttons of a page in order. */
const mainButtons = (html: string): string[] =>
  [...html.matchAll(/<button class="button" type="submit">([^<]+)/g)].map(([, label]) => label!);
const soon = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

describe('a window created by a form', () => {
  it('interprets its times in its time zone, and recurs as selected', async () => {
    const browser = await signedIn(app, 'editor');
    await browser.open(`${PATH}/new`);
    const typed = {
      name: 'Upgrades',
      description: 'Short interruptions.',
      tags: 'shop, eu',
      timezone: 'Europe/Berlin',
      startsAt: '2030-01-06T02:30',
      endsAt: '2030-01-06T04:30',
      recurs: 'weekday',
    };
    await browser.submit(`${PATH}/new`, { ...typed, q: 'check', do: 'search' });
    await browser.submit(`${PATH}/new`, { pick: monitorId, do: 'add' });
    expect(Object.fromEntries(browser.form(`${PATH}/new`).fields)).toMatchObject({ ...typed, monitors: monitorId });
    const { path, html } = await browser.submit(`${PATH}/new`, { do: 'save' });
    expect(await stored(idOf(path))).toMatchObject({
      name: 'Upgrades',
      description: 'Short interruptions.',
      monitorIds: [monitorId],
      tags: ['shop', 'eu'],
      startsAt: '2030-01-06T01:30:00.000Z',
      endsAt: '2030-01-06T03:30:00.000Z',
      timezone: 'Europe/Berlin',
      rrule: 'FREQ=MONTHLY;BYDAY=1SU',
      public: true,
    });
    expect(html).toContain('For 2 hours every month on the first Sunday, Europe/Berlin time');
    expect(html).toContain('Sun, 6 Jan 2030, 02:30 to 04:30 CET');
    expect(html).toContain('Sun, 7 Apr 2030, 02:30 to 04:30 CEST');
    expect(unescaped((await browser.open(`${PATH}/new`)).html)).toContain(`'${app.origin}${API}'`);
  });

  it('is visible only to the team if it is not public', async () => {
    const browser = await signedIn(app, 'editor');
    await browser.open(`${PATH}/new`);
    const form = Object.fromEntries(browser.form(`${PATH}/new`).fields);
    expect(form.public).toBe('on');
    delete form.public;
    const answer = await browser.call('POST', `${PATH}/new`, {
      form: { ...form, name: 'x', tags: 'shop', do: 'save' },
    });
    const { html } = await browser.open(answer.headers.get('location')!);
    expect(html).toContain('Not shown');
    expect((await stored(idOf(browser.page.path))).public).toBe(false);
  });

  it('is rejected with every error beside its field and the input preserved', async () => {
    const browser = await signedIn(app, 'editor');
    await browser.open(`${PATH}/new`);
    const bad = { name: '', timezone: 'Europe/Atlantis', tags: 'x'.repeat(51), startsAt: '2030-01-06T02:30' };
    const { status, html } = await browser.submit(`${PATH}/new`, { ...bad, do: 'save' });
    expect(status).toBe(422);
    for (const field of ['name', 'timezone', 'tags']) {
      expect(html).toContain(`href="#window-${field}"`);
      expect(html).toContain(`id="window-${field}-error"`);
    }
    expect(html).toContain('value="2030-01-06T02:30"');
  });

  it('keeps the time zone that was entered when it is rejected, which scripts fill in only at first', async () => {
    const browser = await signedIn(app, 'editor');
    expect((await browser.open(`${PATH}/new`)).html).toContain('data-own-zone');
    const { html } = await browser.submit(`${PATH}/new`, { name: '', timezone: 'Asia/Tokyo', do: 'save' });
    expect(html).toContain('value="Asia/Tokyo"');
    expect(html).not.toContain('data-own-zone');
  });

  it.each([
    ['without its end', { startsAt: '2030-01-06T02:30' }, 'endsAt'],
    ['with its end first', { startsAt: '2030-01-06T02:30', endsAt: '2030-01-06T01:30' }, 'endsAt'],
    ['with a recurrence but no start', { recurs: 'daily' }, 'recurs'],
    ['with a rule but no start', { recurs: 'rule', rrule: 'FREQ=DAILY' }, 'rrule'],
    [
      'with an invalid rule',
      { startsAt: '2030-01-06T02:30', endsAt: '2030-01-06T03:30', recurs: 'rule', rrule: 'x' },
      'rrule',
    ],
    ['without monitors and tags', { tags: '' }, 'monitorIds'],
  ])('is rejected %s', async (_name, values, field) => {
    const browser = await signedIn(app, 'editor');
    await browser.open(`${PATH}/new`);
    const { status, html } = await browser.submit(`${PATH}/new`, { name: 'x', tags: 'shop', ...values, do: 'save' });
    expect(status).toBe(422);
    expect(html).toContain(`id="window-${field}-error"`);
  });

  it('does not accept a monitor of another team', async () => {
    const theirs = await quietMonitor(app, 'Theirs', app.teams.theirs);
    const browser = await signedIn(app, 'editor');
    await browser.open(`${PATH}/new`);
    const { status, html } = await browser.submit(`${PATH}/new`, { name: 'x', monitors: theirs, do: 'save' });
    expect(status).toBe(422);
    expect(html).toContain('id="window-monitorIds-error"');
  });
});

describe('a window', () => {
  it('can be changed, and preserves untouched times to the millisecond', async () => {
    const times = {
      startsAt: '2030-10-27T01:30:15.250Z',
      endsAt: '2030-10-27T02:30:15.250Z',
      timezone: 'Europe/Berlin',
    };
    const { id } = await plan({
      ...times,
      rrule: 'FREQ=WEEKLY;BYDAY=MO,SU',
      key: 'kept',
      tags: ['shop', 'two, in one'],
    });
    const browser = await signedIn(app, 'editor');
    await browser.open(`${PATH}/${id}/edit`);
    expect(Object.fromEntries(browser.form(`${PATH}/${id}/edit`).fields)).toMatchObject({
      recurs: 'weekly',
      onMO: 'on',
      onSU: 'on',
      startsAt: '2030-10-27T02:30',
    });
    await browser.submit(`${PATH}/${id}/edit`, { name: 'Renamed', do: 'save' });
    const rest = {
      key: 'kept',
      tags: ['shop', 'two, in one'],
      monitorIds: [monitorId],
      rrule: 'FREQ=WEEKLY;BYDAY=MO,SU',
    };
    expect(await stored(id)).toMatchObject({ ...times, ...rest, name: 'Renamed', revision: 2 });
  });

  it('is not overwritten over a concurrent change without a warning; the second person may save again', async () => {
    const { id } = await plan();
    const [first, second] = [await signedIn(app, 'editor'), await signedIn(app, 'editor')];
    const path = `${PATH}/${id}/edit`;
    await first.open(path);
    await second.open(path);
    await first.submit(path, { name: 'By the first', do: 'save' });
    const refused = await second.submit(path, { name: 'By the second', do: 'save' });
    expect(refused.status).toBe(412);
    expect(refused.html).toContain('Someone else changed this while you were editing');
    expect(refused.html).toContain('value="By the second"');
    expect((await stored(id)).name).toBe('By the first');
    await second.submit(path, { do: 'save' });
    expect((await stored(id)).name).toBe('By the second');
  });

  it('is started for some minutes, ended, and deleted after a confirmation', async () => {
    const { id } = await plan();
    const browser = await signedIn(app, 'editor');
    const path = `${PATH}/${id}`;
    const before = await browser.open(path);
    expect(mainButtons(before.html)).toEqual(['Start now']);
    expect(before.html).toContain(`href="/monitors/${monitorId}"`);
    const refused = await browser.submit(`${path}/start`, { durationSeconds: '' });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('id="start-durationSeconds-error"');
    const started = await browser.submit(`${path}/start`, { durationSeconds: '30' });
    expect(started.html).toContain('Maintenance started.');
    expect(started.html).toMatch(/<svg class="mark maintenance"/);
    expect((await stored(id)).active).toBe(true);
    expect(mainButtons(started.html)).toEqual(['End now']);
    expect(started.html).toMatch(/Started manually\. Ends <time [^>]*>in 30 minutes/);
    expect((await browser.open(PATH)).html).toMatch(/Ends <time [^>]*>in 30 minutes/);
    await browser.open(path);
    const lines = unescaped(started.html);
    const api = `'${app.origin}/v1/maintenance-windows/${id}`;
    const extension = '# Extend by 15 minutes\n';
    for (const line of [`-X POST \\\n  ${api}/end'`, `${api}/start' \\\n  -d '{"durationSeconds":`, extension]) {
      expect(lines).toContain(line);
    }
    expect(Number(/"durationSeconds":(\d+)/.exec(lines)?.[1]) / 60).toBeCloseTo(45, 0);
    const endMs = await endOf(id);
    expect(started.html).toContain('>5 minutes longer<');
    const extended = await browser.submit(`${path}/start`, { durationSeconds: '5' });
    expect(extended.html).toContain('Maintenance extended.');
    expect(((await endOf(id)) - endMs) / MINUTE_MS).toBeCloseTo(5, 0);
    await browser.open(path);
    const ended = await browser.submit(`${path}/end`);
    expect((await stored(id)).active).toBe(false);
    expect(started.html).toContain('No past occurrences.');
    expect(ended.html).toMatch(/<caption class="hidden">History<\/caption>/);
    await browser.open(`${path}/delete`);
    expect(browser.page.html).toContain('Delete Database upgrade?');
    expect((await browser.submit(`${path}/delete`)).html).toContain('Maintenance window deleted.');
    expect((await browser.open(path)).status).toBe(404);
  });
});

describe('the list of windows', () => {
  it('shows active, upcoming and past windows, and each state under its own address', async () => {
    const day = { startsAt: soon(-48), endsAt: soon(-47) };
    const [active, upcoming, over, byHand] = [
      await plan({ name: 'Running', startsAt: soon(-1), endsAt: soon(1) }),
      await plan({ name: 'To come', startsAt: soon(24), endsAt: soon(25), rrule: 'FREQ=DAILY' }),
      await plan({ name: 'Long over', ...day }),
      await plan({ name: 'Only by hand' }),
    ];
    const browser = await signedIn(app, 'viewer');
    const { html } = await browser.open(PATH);
    const places = [active, upcoming, over].map(({ id }) => html.indexOf(`${PATH}/${id}`));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(Math.min(...places)).toBeGreaterThan(0);
    const rows: [string, MaintenanceWindowDto[]][] = [
      ['active', [active]],
      ['upcoming', [upcoming]],
      ['over', [over, byHand]],
    ];
    for (const [state, own] of rows) {
      const shown = (await browser.open(`${PATH}?state=${state}`)).html;
      for (const { id } of [active, upcoming, over, byHand]) {
        expect(shown.includes(id)).toBe(own.some((one) => one.id === id));
      }
      const { body } = await api.get<{ data: MaintenanceWindowDto[] }>(`${API}?state=${state}&limit=200`);
      expect(own.every(({ id }) => body.data.some((one) => one.id === id))).toBe(true);
    }
    // One more than fit on a page, all of which are created later and start later.
    for (let n = 0; n < 50; n += 1) await plan({ startsAt: soon(48 + n), endsAt: soon(49 + n) });
    const first = (await browser.open(PATH)).html;
    expect(first).toContain(upcoming.id);
    const next = unescaped(/href="([^"]+)">More windows/.exec(first)![1]!);
    const rest = (await browser.open(next)).html;
    expect(rest).toMatch(/href="\/maintenance\/[0-9a-f-]{36}"/);
    expect(rest).not.toContain(upcoming.id);
    expect((await browser.open(`${PATH}?state=x`)).status).toBe(400);
    expect((await api.get(`${API}?state=x`)).status).toBe(400);
  });
});

describe('without the rights to change a window', () => {
  it('a viewer can read it, but sees no forms', async () => {
    const { id } = await plan();
    const browser = await signedIn(app, 'viewer');
    const { html } = await browser.open(`${PATH}/${id}`);
    expect(html).not.toMatch(/action="\/maintenance/);
    expect(html).not.toMatch(/\/(edit|delete)"/);
    expect((await browser.open(PATH)).html).not.toContain(`${PATH}/new`);
  });

  it('a member of another team receives 404 everywhere', async () => {
    const before = await plan();
    const browser = await stranger(app);
    const form = { _token: browser.formToken, name: 'x', tags: 'x', durationSeconds: '5', do: 'save', revision: '1' };
    for (const step of ['', '/edit', '/delete']) {
      expect((await browser.open(`${PATH}/${before.id}${step}`)).status).toBe(404);
    }
    for (const step of ['edit', 'start', 'end', 'delete']) {
      expect((await browser.call('POST', `${PATH}/${before.id}/${step}`, { form })).status).toBe(404);
    }
    expect(await stored(before.id)).toEqual(before);
    expect((await browser.open(PATH)).html).not.toContain(before.id);
  });
});

it('pages render hostile texts as plain text', async () => {
  const { id } = await plan({ name: HOSTILE, description: HOSTILE, tags: ['"><script>'] });
  const browser = await signedIn(app, 'editor');
  for (const path of [PATH, `${PATH}/${id}`, `${PATH}/${id}/edit`, `${PATH}/${id}/delete`]) {
    const { html, status } = await browser.open(path);
    expect({ path, status }).toEqual({ path, status: 200 });
    expect(html.match(/<script(?! src="\/assets\/)/g)).toBeNull();
    expect(html).not.toMatch(/<img/);
  }
});
