import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { type Locator, type Page } from 'playwright-core';
import { PASSWORD } from '../support/people.js';
import { type SessionRoute } from '../support/session-routes.js';
import { describeInBrowser } from './support/describe-in-browser.js';
import { demoContent } from './support/demo-content.js';
import { PAGE_ROWS } from './support/page-rows.js';
import { type PageRow } from './support/rows/page-row.js';
import { Stage } from './support/stage.js';
import { startStillApp } from './support/world.js';

const WITHOUT_SCRIPT = { javaScriptEnabled: false };

/** A button of a form as it stands on a page. */
interface FoundButton {
  /** `POST /settings/team`, as the route is declared; the path itself where no route is meant, as with searches. */
  route: string;
  /** The same with what the button says of itself, such as `do=add`: one route may take several. */
  name: string;
  row: PageRow;
}

/** What is typed into a field that wants something, by its type. */
const TYPED: Readonly<Record<string, string>> = {
  email: 'somebody@example.com',
  password: PASSWORD,
  url: 'http://127.0.0.1:9/',
  number: '60',
  date: '2030-01-01',
  'datetime-local': '2030-01-01T12:00',
};

/** In the place of what is there already: a check that is tried goes no further than this machine. */
const TYPED_ANYWAY: Readonly<Record<string, string>> = { url: 'http://127.0.0.1:9/' };

/** A check that is asked for is waited for as long as it may take, and here nobody makes it. */
const LONGEST_MS = 60_000;

/** What such a button does may leave others without their page. */
const LAST = /remove|revoke|delete|leave|sign-out|invitations\/:token$/;

/** Which answers say that a form reached the service, and was understood there. */
const ANSWERS = [200, 409, 412, 422];

describeInBrowser('without JavaScript', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open(startStillApp, demoContent(Date.now()));
  }, 120_000);
  afterEach(() => stage.clear());
  afterAll(() => stage.close());

  it('each form of each page does what it is for, and every form that is taken stands on a page', async () => {
    const routes = (await stage.world.app.backstage.sessionRoutes()).filter(({ method }) => method === 'POST');
    const found = await allButtons(stage, routes);
    const answered: { name: string; status: number }[] = [];
    for (const { name, row } of found) {
      stage.forgetSessions();
      const { page } = await stage.visit(row, WITHOUT_SCRIPT);
      // By now there may be others of its kind, of other ids.
      const at = (await buttonsOn(page, routes)).findIndex((one) => one.name === name);
      const status = await send(page, page.locator(BUTTONS).nth(at)).catch((error: unknown) => {
        throw new Error(`${name} of ${row.name} cannot be sent`, { cause: error });
      });
      answered.push({ name, status });
      expect({ name, heading: await page.getByRole('heading', { level: 1 }).count() }).toEqual({ name, heading: 1 });
      await stage.clear();
    }
    expect(answered.filter(({ status }) => !ANSWERS.includes(status))).toEqual([]);
    const missing = routes.filter(({ path }) => !found.some(({ route }) => route === `POST ${path}`));
    expect(missing.map(({ path }) => path)).toEqual([]);
  }, 600_000);
});

/** Those that people see: what Enter presses goes where one of these does. */
const BUTTONS = 'form button:not([type=button],[aria-hidden=true])';

/** One button of each name that any page has, those that take something away last. */
async function allButtons(stage: Stage, routes: readonly SessionRoute[]): Promise<FoundButton[]> {
  const found = new Map<string, FoundButton>();
  for (const row of PAGE_ROWS) {
    // Who has signed in more than once can sign out elsewhere.
    if (row.route === '/settings/account') stage.forgetSessions();
    const { page } = await stage.visit(row, WITHOUT_SCRIPT);
    for (const { route, name } of await buttonsOn(page, routes)) {
      if (!found.has(name)) found.set(name, { route, name, row });
    }
    await stage.clear();
  }
  return [...found.values()].sort((a, b) => Number(LAST.test(a.name)) - Number(LAST.test(b.name)));
}

/** What the buttons of a page do, in its order. */
async function buttonsOn(page: Page, routes: readonly SessionRoute[]): Promise<{ route: string; name: string }[]> {
  const buttons = await page.evaluate<{ method: string; path: string; says: string }[]>(
    `[...document.querySelectorAll('${BUTTONS}')].map(({ form, attributes, name, value }) => ({
      // A field of the form may be called so.
      method: (form.getAttribute('method') ?? 'get').toUpperCase(),
      path: new URL((attributes.formaction ?? form.attributes.action)?.value ?? '', location).pathname,
      says: name === '' ? '' : ' ' + name + '=' + value.split(':')[0] }))`,
  );
  return buttons.map(({ method, path, says }) => {
    const declared = routes.find((one) => method === 'POST' && matches(one.path, path))?.path;
    const route = `${method} ${declared ?? path}`;
    return { route, name: route + says };
  });
}

const matches = (route: string, path: string): boolean => new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`).test(path);

/** Fills in what its form wants, and presses a button; gives the status of what the browser then shows. */
async function send(page: Page, button: Locator): Promise<number> {
  const form = button.locator('xpath=ancestor::form');
  for (const field of await form.locator('input[required],textarea[required]').all()) {
    if ((await field.inputValue()) !== '') continue;
    await field.fill(TYPED[(await field.getAttribute('type')) ?? 'text'] ?? 'Something');
  }
  for (const [name, text] of Object.entries(TYPED_ANYWAY)) {
    for (const field of await form.locator(`input[name=${name}]`).all()) await field.fill(text);
  }
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().isNavigationRequest() && response.status() !== 303, {
      timeout: LONGEST_MS,
    }),
    button.click({ timeout: LONGEST_MS }),
  ]);
  await page.waitForLoadState();
  return answer.status();
}
