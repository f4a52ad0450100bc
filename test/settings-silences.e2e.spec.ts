import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '../src/domain/durations.js';
import { type SilenceDto } from '../src/modules/notification-policies/dto/silence.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type TestTeam } from './support/backstage.js';
import { type Browser } from './support/browser.js';
import { quietMonitor } from './support/console.js';
import { unescaped } from './support/html-forms.js';
import { makePerson, signIn } from './support/people.js';

const PATH = '/settings/notifications/silences';
const NEW = `${PATH}/new`;
const API = '/v1/silences';

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
});
afterAll(() => app.close());

/** Returns a new team, and a browser in which one of its editors is signed in. */
async function stage(): Promise<{ team: TestTeam; browser: Browser }> {
  const team = await app.backstage.makeTeam('Silenced');
  return { team, browser: await signIn(app, await makePerson(app, team.id, 'editor', 'Ben Okafor')) };
}

async function silencesOf(team: TestTeam): Promise<SilenceDto[]> {
  return (await app.api(team.read).get<{ data: SilenceDto[] }>(API)).body.data;
}

const errorAt = (html: string, id: string): string =>
  unescaped(new RegExp(`id="${id}-error">([^<]*)<`).exec(html)?.[1] ?? '');
/** Returns the content of a date and time field in UTC. */
const fieldIn = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString().slice(0, 16);

describe('the pages of silences', () => {
  it('create a silence of selected monitors, list it, and end it', async () => {
    const { team, browser } = await stage();
    const monitorId = await quietMonitor(app, 'Mail server', team);
    expect((await browser.open(PATH)).html).toContain('No active silences.');
    await browser.open(NEW);
    await browser.submit(NEW, { scope: 'chosen', q: 'mail', do: 'search', reason: 'Moving to the new host' });
    await browser.submit(NEW, { do: 'add', pick: monitorId });
    const listed = await browser.submit(NEW, { durationSeconds: '14400', tags: 'internal' });
    expect(listed.path).toBe(`${PATH}?done=created`);
    for (const words of [
      'Mail server and monitors tagged internal',
      'Moving to the new host',
      'Ben Okafor',
      'in 4 hours',
    ]) {
      expect(listed.html).toContain(words);
    }
    const [silence] = await silencesOf(team);
    expect(silence).toMatchObject({ match: { monitorIds: [monitorId], tags: ['internal'] } });
    const ended = await browser.submit(`${PATH}/${silence!.id}/end`);
    expect(ended.html).toContain('Silence ended.');
    expect(ended.html).not.toContain('Moving to the new host');
    expect(await silencesOf(team)).toEqual([]);
  });

  it('create a silence until a date in a time zone', async () => {
    const { team, browser } = await stage();
    await browser.open(NEW);
    await browser.submit(NEW, { durationSeconds: 'date', until: '2030-01-01T12:00', timezone: 'Nowhere', reason: 'x' });
    expect(errorAt(browser.page.html, 'silence-timezone')).toContain('Time zone');
    const until = fieldIn(30);
    await browser.submit(NEW, { until, timezone: 'Asia/Kolkata' });
    const expected = new Date(Date.parse(`${until}Z`) - 5.5 * HOUR_MS).toISOString();
    expect(await silencesOf(team)).toMatchObject([{ match: { all: true }, until: expected, reason: 'x' }]);
  });

  it.each([
    ['no monitors', { scope: 'chosen' }, 'match', 'Select all monitors'],
    ['no reason', { reason: ' ' }, 'reason', 'Reason must not be empty'],
    ['no date', { durationSeconds: 'date' }, 'until', 'Choose when the silence ends.'],
    ['a date after 7 days', { durationSeconds: 'date', until: fieldIn(170) }, 'until', 'at most 7 days'],
    ['a duration above 7 days', { durationSeconds: '604801' }, 'durationSeconds', 'Duration must be'],
  ])('reject %s at the field', async (_name, fields, field, words) => {
    const { team, browser } = await stage();
    await browser.open(NEW);
    const { status, html } = await browser.submit(NEW, { reason: 'Known', ...fields });
    expect(status).toBe(422);
    expect(errorAt(html, `silence-${field}`)).toContain(words);
    expect(html).toContain(`href="#silence-${field}"`);
    expect(await silencesOf(team)).toEqual([]);
  });

  it('offer no changes to a viewer, and report a silence that has ended', async () => {
    const { team, browser } = await stage();
    const silence = { match: { all: true }, durationSeconds: 600, reason: 'Known' };
    const { body } = await app.api(team.write).post<SilenceDto>(API, silence);
    const viewer = await signIn(app, await makePerson(app, team.id, 'viewer'));
    const { html } = await viewer.open(PATH);
    expect(html).toContain('Known');
    expect(html).not.toContain('End now');
    await browser.open(PATH);
    await app.api(team.write).delete(`${API}/${body.id}`);
    expect((await browser.submit(`${PATH}/${body.id}/end`)).status).toBe(404);
  });
});
