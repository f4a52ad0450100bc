import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from './support/app.js';
import { type Browser } from './support/browser.js';
import { makePerson, PASSWORD, signIn, signInByForm, type TestPerson } from './support/people.js';

const PATH = '/settings/account';
const NEXT = 'another four words of length';

let app: TestApp;
let person: TestPerson;
beforeAll(async () => {
  app = await sharedApp();
});
afterAll(() => app.close());

async function twoBrowsers(): Promise<[Browser, Browser]> {
  person = await makePerson(app, app.teams.ours.id, 'viewer', 'Ana');
  return [await signIn(app, person), await signIn(app, person)];
}

const isIn = async (browser: Browser): Promise<boolean> => (await browser.open('/')).path === '/';

describe('changing the name', () => {
  it('takes effect immediately', async () => {
    const [here, there] = await twoBrowsers();
    await here.open(PATH);
    expect(here.form(`${PATH}/name`).fields).toContainEqual(['name', 'Ana']);
    const { html } = await here.submit(`${PATH}/name`, { name: '  Ana & Co  ' });
    expect(html).toContain('Name changed.');
    expect((await there.open('/settings/team')).html).toContain('Ana &amp; Co');
  });

  it.each(['', '   ', 'x'.repeat(201), 'a\0b'])('rejects %j', async (name) => {
    const [here] = await twoBrowsers();
    await here.open(PATH);
    const { status, html } = await here.submit(`${PATH}/name`, { name });
    expect(status).toBe(422);
    expect(html).toContain('id="own-name-error"');
    expect((await here.open('/settings/team')).html).toContain('Ana');
  });
});

describe('changing the password', () => {
  it('ends all other sessions and invalidates the old password', async () => {
    const [here, there] = await twoBrowsers();
    await here.open(PATH);
    const { path, html } = await here.submit(`${PATH}/password`, { currentPassword: PASSWORD, password: NEXT });
    expect(path).toBe(`${PATH}?done=password-changed`);
    expect(html).toContain('Password changed.');
    expect([await isIn(here), await isIn(there)]).toEqual([true, false]);
    await expect(signInByForm(app, person)).rejects.toThrow('could not sign in: 422');
    expect(await isIn(await signInByForm(app, person, NEXT))).toBe(true);
  });

  it.each([
    ['a wrong current password', 'wrong', NEXT, 'The current password is incorrect.'],
    ['a short password', PASSWORD, 'short', 'New password must have 12 to 200 characters'],
    ['a common password', PASSWORD, 'Password1234', 'New password is too common'],
    ['a long password', PASSWORD, 'x1y2'.repeat(51), 'New password must have 12 to 200 characters'],
  ])('is rejected with %s, without changes', async (_name, currentPassword, password, reason) => {
    const [here, there] = await twoBrowsers();
    await here.open(PATH);
    const { status, html } = await here.submit(`${PATH}/password`, { currentPassword, password });
    expect(status).toBe(422);
    expect(html).toContain(reason);
    expect(html).not.toContain(`value="${password}"`);
    expect(await isIn(there)).toBe(true);
    expect(await isIn(await signInByForm(app, person))).toBe(true);
  });

  it('treats equivalent Unicode sequences as the same password', async () => {
    const [here] = await twoBrowsers();
    await here.open(PATH);
    await here.submit(`${PATH}/password`, { currentPassword: PASSWORD, password: 'schön genug lang'.normalize('NFD') });
    expect(await isIn(await signInByForm(app, person, 'schön genug lang'.normalize('NFC')))).toBe(true);
  });
});

describe('the sessions of a person', () => {
  it('are listed, and can be ended one by one', async () => {
    const [here, there] = await twoBrowsers();
    const { html } = await here.open(PATH);
    expect(html.match(/this browser/g)).toHaveLength(1);
    const [, id] = new RegExp(`${PATH}/sessions/([\\w-]+)/sign-out`).exec(html)!;
    const after = await here.submit(`${PATH}/sessions/${id}/sign-out`);
    expect(after.html).toContain('That browser was signed out.');
    expect([await isIn(here), await isIn(there)]).toEqual([true, false]);
  });

  it('cannot be ended by others', async () => {
    const [here] = await twoBrowsers();
    const other = await signIn(app, await makePerson(app, app.teams.ours.id, 'viewer'));
    const [row] = await app.query<{ id: string }>('SELECT id FROM sessions ORDER BY created_at DESC LIMIT 1');
    const form = { _token: here.formToken };
    await here.call('POST', `${PATH}/sessions/${row!.id}/sign-out`, { form });
    expect(await isIn(other)).toBe(true);
  });

  it('can be ended all, or all except the current one', async () => {
    const [here, there] = await twoBrowsers();
    await here.open(PATH);
    await here.submit(`${PATH}/sign-out-others`);
    expect([await isIn(here), await isIn(there)]).toEqual([true, false]);
    const again = await signIn(app, person);
    await here.open(PATH);
    const { path, html } = await here.submit(`${PATH}/sign-out-everywhere`);
    expect(path).toBe('/sign-in?done=signed-out-everywhere');
    expect(html).toContain('You are signed out everywhere.');
    expect([await isIn(here), await isIn(again)]).toEqual([false, false]);
  });
});
