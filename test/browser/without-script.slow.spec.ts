import { expect, it } from '@jest/globals';
import { type Locator, type Page } from 'playwright-core';
import { PASSWORD } from '../support/people.js';
import { type SessionRoute } from '../support/session-routes.js';
import { describeInBrowser } from './support/describe-in-browser.js';
import { PAGE_ROWS } from './support/page-rows.js';
import { type PageRow } from './support/rows/page-row.js';
import { type Stage } from './support/stage.js';
import { useStage } from './support/use-stage.js';

const WITHOUT_SCRIPT = { javaScriptEnabled: false };

/** A button of a form on a page. */
interface FoundButton {
  /** The declared route, such as `POST /settings/team`; method and path if it is not a POST route, as for searches. */
  route: string;
  /** The route with the name and value of the button, such as `do=add`, because a route may have several actions. */
  name: string;
  row: PageRow;
}

/** The text for an empty required field, by its type. */
const TYPED: Readonly<Record<string, string>> = {
  email: 'somebody@example.com',
  password: PASSWORD,
  url: 'http://127.0.0.1:9/',
  number: '60',
  date: '2030-01-01',
  'datetime-local': '2030-01-01T12:00',
};

/** Texts that replace existing values, so that a test check does not leave this machine. */
const TYPED_ANYWAY: Readonly<Record<string, string>> = { url: 'http://127.0.0.1:9/' };

/** A request for a check waits for its result for up to its timeout, and no check runs here. */
const LONGEST_MS = 60_000;

/** Marks buttons that only keep their place. */
const ABSENT = ' (absent)';

/** Buttons that may take away the buttons of others, and thus come last: in this order, and parts before the whole. */
const LAST = [
  /\/unpublish$/,
  // A webhook is removed before its subscriber.
  /(?<!webhook\/|:userId\/)remove|revoke|delete|sign-out|invitations\/:token$/,
  /:userId\/remove|leave$/,
];

/** Statuses with which the service responds to a form that it has understood. */
const ANSWERS = [200, 409, 412, 422];

describeInBrowser('the application without JavaScript', () => {
  let stage: Stage;
  useStage((opened) => (stage = opened));

  it('handles every form of every page, and has a form for every POST route', async () => {
    const routes = (await stage.world.app.backstage.sessionRoutes()).filter(({ method }) => method === 'POST');
    const found = await allButtons(stage, routes);
    const answered: { name: string; status: number }[] = [];
    for (const { name, row } of found) {
      stage.forgetSessions();
      const { page } = await stage.visit(row, WITHOUT_SCRIPT);
      // The page may have changed: the button is found by its name.
      const names = (await buttonsOn(page, routes)).map((one) => one.name);
      expect(names).toContain(name);
      const status = await send(page, page.locator(BUTTONS).nth(names.indexOf(name))).catch((error: unknown) => {
        throw new Error(`${name} of ${row.name} cannot be submitted`, { cause: error });
      });
      answered.push({ name, status });
      expect({ name, heading: await page.getByRole('heading', { level: 1 }).count() }).toEqual({ name, heading: 1 });
      await stage.clear();
    }
    expect(answered.filter(({ status }) => !ANSWERS.includes(status))).toEqual([]);
    const missing = routes.filter(({ path }) => !found.some(({ route }) => route === `POST ${path}`));
    expect(missing.map(({ path }) => path)).toEqual([]);
  }, 1_200_000);
});

/** Visible submit buttons. The hidden ones, for Enter, submit to the same routes. */
const BUTTONS = 'form:not([method=dialog]) button:not([type=button],[aria-hidden=true])';

/** Returns one button per name from all pages, the `LAST` ones last. */
async function allButtons(stage: Stage, routes: readonly SessionRoute[]): Promise<FoundButton[]> {
  const found = new Map<string, FoundButton>();
  for (const row of PAGE_ROWS) {
    // A second session is needed for the button that signs out other sessions.
    if (row.route === '/settings/account') stage.forgetSessions();
    const { page } = await stage.visit(row, WITHOUT_SCRIPT);
    for (const { route, name } of await buttonsOn(page, routes)) {
      if (!found.has(name) && !name.endsWith(ABSENT)) found.set(name, { route, name, row });
    }
    await stage.clear();
  }
  const rank = ({ name }: FoundButton) => LAST.findIndex((pattern) => pattern.test(name));
  const depth = ({ route }: FoundButton) => route.split('/').length;
  return [...found.values()].sort((a, b) => rank(a) - rank(b) || (rank(a) < 0 ? 0 : depth(b) - depth(a)));
}

/** Returns the routes and names of the buttons of a page, in document order. */
async function buttonsOn(page: Page, routes: readonly SessionRoute[]): Promise<{ route: string; name: string }[]> {
  const buttons = await page.evaluate<{ method: string; path: string; says: string }[]>(
    `[...document.querySelectorAll('${BUTTONS}')].map((one) => [one, one]).map(([{ form, attributes, name, value }, button]) => ({
      // A field named "method" would hide the property.
      method: (form.getAttribute('method') ?? 'get').toUpperCase(),
      path: new URL((attributes.formaction ?? form.attributes.action)?.value ?? '', location).pathname,
      // The first row of a list keeps the place of a button that it does not have.
      says: (name === '' ? '' : ' ' + name + '=' + value.split(':')[0]) + (getComputedStyle(button).visibility === 'hidden' ? '${ABSENT}' : '') }))`,
  );
  return buttons.map(({ method, path, says }) => {
    const declared = routes.find((one) => method === 'POST' && matches(one.path, path))?.path;
    const route = `${method} ${declared ?? path}`;
    return { route, name: route + says };
  });
}

const matches = (route: string, path: string): boolean => new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`).test(path);

/** Fills in the required fields of a button's form and presses the button. Returns the status of the next page. */
async function send(page: Page, button: Locator): Promise<number> {
  const form = button.locator('xpath=ancestor::form');
  // The picker of monitors belongs to a choice.
  if ((await button.locator('xpath=ancestor::*[contains(@class, "when-chosen")]').count()) > 0) {
    await form.locator('input[value=chosen]').check();
  }
  // Menus and parts that unfold have to be opened first, the outermost one first.
  for (const summary of await button.locator('xpath=ancestor::details[not(@open)]/summary').all()) {
    // Wide screens show what is folded on narrow ones.
    if (await summary.isVisible()) await summary.click();
  }
  // Actions on a selection appear once something is selected.
  const boxes = page.locator(`input[type=checkbox][form="${(await form.getAttribute('id')) ?? ''}"]`);
  if ((await boxes.count()) > 0) await boxes.first().check();
  for (const field of await form.locator('input[required],textarea[required]').all()) {
    if ((await field.inputValue()) !== '') continue;
    await field.fill(TYPED[(await field.getAttribute('type')) ?? 'text'] ?? 'Something');
  }
  for (const [name, text] of Object.entries(TYPED_ANYWAY)) {
    for (const field of await form.locator(`input[name=${name}]`).all()) await field.fill(text);
  }
  // A menu is closed at first.
  if (!(await button.isVisible())) await button.locator('xpath=ancestor::details').locator('summary').click();
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().isNavigationRequest() && response.status() !== 303, {
      timeout: LONGEST_MS,
    }),
    button.click({ timeout: LONGEST_MS }),
  ]);
  await page.waitForLoadState();
  return answer.status();
}
