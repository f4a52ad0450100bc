import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type Browser, type Locator, type Page, type Route } from 'playwright-core';
import { type MonitorDto } from '../../src/modules/monitors/dto/monitor.dto.js';
import { sharedApp, type TestApp } from '../support/app.js';
import { type Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { createMonitor, httpMonitor, untilStatus } from '../support/monitors.js';
import { signedIn } from '../support/people.js';
import { answers, startTarget, type Target } from '../support/target.js';
import { launchChromium } from './support/chromium.js';
import { describeInBrowser } from './support/describe-in-browser.js';
import { expectAccessible, expectNoFaults, WCAG } from './support/expectations.js';
import { PHONE, Visit, type VisitOptions } from './support/visit.js';

describeInBrowser('an open page of monitors', () => {
  let app: TestApp;
  let api: Client;
  let target: Target;
  let browser: Browser;
  let shop: MonitorDto;
  const visits = new Set<Visit>();

  beforeAll(async () => {
    [app, target, browser] = await Promise.all([sharedApp(), startTarget(), launchChromium()]);
    api = app.api(app.teams.ours.write);
    shop = await createMonitor(api, httpMonitor(target.url('/'), { name: 'Shop', failureThreshold: 1 }));
    for (let index = 0; index < 30; index += 1) {
      await createMonitor(api, httpMonitor(target.url('/'), { name: `Row ${index}`, paused: true, tags: ['row'] }));
    }
    await createMonitor(api, { name: 'Cache', type: 'tcp', host: '127.0.0.1', port: 1, paused: true });
  }, 120_000);
  beforeEach(async () => {
    goUp();
    await untilStatus(api, shop.id, 'up');
  });
  afterEach(async () => {
    for (const visit of visits) await visit.end();
    visits.clear();
  });
  afterAll(async () => {
    await browser.close();
    await app.close();
    await target.close();
  });

  const goUp = (): void => target.behave('/', answers(200));
  const goDown = (): void => target.behave('/', answers(503));

  async function open(path: string, options: VisitOptions = {}): Promise<Visit> {
    const visit = await Visit.begin(browser, app.origin, { as: await signedIn(app, 'editor'), ...options });
    visits.add(visit);
    await visit.page.goto(path);
    await visit.page.getByText('● Live').waitFor();
    await visit.page.evaluate('window.isSamePage = true');
    return visit;
  }

  const isSame = (page: Page): Promise<unknown> => page.evaluate('window.isSamePage');
  const names = (page: Page): Promise<string[]> => page.locator('tbody th a:not(.tag)').allTextContents();
  const expectNames = (page: Page, wanted: readonly string[]): Promise<void> =>
    eventually(async () => expect(await names(page)).toEqual(wanted));
  const search = (page: Page): Locator => page.getByRole('searchbox');

  it.each(['/', '/monitors'])('moves nothing on a phone while it becomes live: %s', async (path) => {
    const { page } = await open(path, { viewport: PHONE });
    const shift = await page.evaluate<number>(`new Promise((done) => {
      let sum = 0;
      const count = (entries) => entries.forEach(({ value }) => (sum += value));
      const observer = new PerformanceObserver((list) => count(list.getEntries()));
      observer.observe({ type: 'layout-shift', buffered: true });
      requestAnimationFrame(() => setTimeout(() => (count(observer.takeRecords()), done(sum))));
    })`);
    expect(shift).toBeLessThan(0.02);
  });

  it('filters the list while the reader types, and follows the rows that it then shows', async () => {
    const visit = await open('/monitors?sort=name');
    const { page } = visit;
    expect(await names(page)).not.toContain('Shop');
    const followed = page.waitForRequest(
      (one) => one.url().includes(`/monitors/events`) && one.url().includes(shop.id),
    );
    await search(page).focus();
    await page.keyboard.type('sho');
    await expectNames(page, ['Shop']);
    await page.keyboard.type('p');
    expect(await search(page).inputValue()).toBe('shop');
    expect(await search(page).evaluate((one) => one === document.activeElement)).toBe(true);
    await followed;
    await page.waitForURL(`${app.origin}/monitors?q=shop&sort=name`);
    await page.getByText('● Live').waitFor();
    await page.getByText('1–1 of 1', { exact: true }).waitFor();

    goDown();
    await page.getByRole('row', { name: 'Shop' }).getByText('Down', { exact: true }).waitFor();
    expect(await isSame(page)).toBe(true);
    await expectAccessible(page);
    await expectNoFaults(visit);
  });

  it('applies a selected filter, which remains after Back and a reload', async () => {
    const visit = await open('/monitors');
    const { page } = visit;
    await page.getByLabel('Type').selectOption('tcp');
    await expectNames(page, ['Cache']);
    expect(await isSame(page)).toBe(true);
    await page.getByRole('link', { name: 'Clear filters' }).waitFor();
    await page.getByRole('link', { name: 'Cache', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Cache' }).waitFor();
    await page.goBack();
    await page.waitForURL(`${app.origin}/monitors?type=tcp`);
    await expectNames(page, ['Cache']);
    await page.reload();
    await expectNames(page, ['Cache']);
    expect(await page.getByLabel('Type').inputValue()).toBe('tcp');
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await page.waitForURL(`${app.origin}/monitors`);
    await expectNoFaults(visit);
  });

  it('keeps the chosen states while other filters change, and starts at the first page', async () => {
    const { page } = await open('/monitors?sort=name');
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.getByText('26–32 of 32', { exact: true }).waitFor();
    await page.getByRole('link', { name: '31 Paused' }).click();
    await page.getByText('1–25 of 31', { exact: true }).waitFor();
    await page.getByText('● Live').waitFor();
    await page.getByLabel('Tag', { exact: true }).selectOption('row');
    await page.getByText('1–25 of 30', { exact: true }).waitFor();
    expect(page.url()).toBe(`${app.origin}/monitors?status=paused&tag=row&sort=name`);
  });

  it('follows a link that is clicked right after typing', async () => {
    const { page } = await open('/monitors');
    await search(page).fill('cache');
    await expectNames(page, ['Cache']);
    await page.getByRole('link', { name: 'Cache', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Cache' }).waitFor();
  });

  it('shows on the overview that a monitor is down and up again, without a reload', async () => {
    const visit = await open('/');
    const { page } = visit;
    await page.getByText('No monitors are down', { exact: true }).waitFor();
    goDown();
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByRole('link', { name: 'Shop' }).waitFor({ timeout: 20_000 });
    await page.getByText('1 monitor down', { exact: true }).waitFor();
    await attention.getByText('Not acknowledged').waitFor();
    expect(await page.title()).toBe('▲ Overview · Daywatch');
    await expectAccessible(page);
    goUp();
    await page.getByText('No monitors are down', { exact: true }).waitFor({ timeout: 20_000 });
    await attention.waitFor({ state: 'detached' });
    expect(await isSame(page)).toBe(true);
    await expectNoFaults(visit);
  });

  it('shows on the wallboard that a monitor is down, without a reload', async () => {
    const visit = await open('/wall');
    const { page } = visit;
    goDown();
    await page.getByRole('heading', { name: '1 monitor down' }).waitFor({ timeout: 20_000 });
    expect(await page.getByRole('listitem').filter({ hasText: 'Shop' }).first().textContent()).toContain('Down');
    expect(await isSame(page)).toBe(true);
    await expectAccessible(page);
    await expectNoFaults(visit);
  });

  it('keeps the text of a row that the reader selects until the selection ends', async () => {
    const { page } = await open('/monitors?q=shop');
    const state = page.locator('tbody [data-live=state]');
    await state.evaluate((one) => getSelection()!.selectAllChildren(one));
    goDown();
    // The count arrives after the row.
    await page.getByRole('link', { name: '1 Down', exact: true }).waitFor({ timeout: 20_000 });
    expect(await state.textContent()).toMatch(/^Up/);
    expect(await page.evaluate('String(getSelection())')).toMatch(/^Up/);
    await page.evaluate('getSelection().removeAllRanges()');
    await state.getByText('Down', { exact: true }).waitFor();
  });

  it('stays live on the overview while its monitors change, and opens the link that the reader is pressing', async () => {
    const { page } = await open('/');
    await page.evaluate(`window.words = []; document.addEventListener('swapped', () =>
      window.words.push(document.querySelector('[data-live-word]').textContent))`);
    goDown();
    const link = page.getByRole('region', { name: 'Needs attention' }).getByRole('link', { name: 'Shop' });
    await link.waitFor({ timeout: 20_000 });
    const isOverview = (url: URL): boolean => url.pathname === '/';
    const loading = new Promise<Route>((resolve) => void page.route(isOverview, resolve, { times: 1 }));
    goUp();
    const held = await loading;
    await link.hover();
    await page.mouse.down();
    const swapped = page.evaluate(`new Promise((done) => document.addEventListener('swapped', () => done(true)))`);
    await held.continue();
    await swapped;
    expect(new Set(await page.evaluate<string[]>('window.words'))).toEqual(new Set(['● Live']));
    await page.mouse.up();
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
  });

  it('does not move the tiles of the wall screen once it is live, however wide it is', async () => {
    const { page } = await open('/wall');
    const tops = async (found: number[] = []): Promise<number[]> => {
      for (let width = 800; width <= 2_000; width += 20) {
        await page.setViewportSize({ width, height: 800 });
        found.push((await page.locator('.tiles').boundingBox())!.y);
      }
      return found;
    };
    const live = await tops();
    await page.route('**/monitors/events*', (route) => route.abort());
    await page.reload();
    await page.getByText(/^Not live/).waitFor();
    expect(await tops()).toEqual(live);
  });

  it('keeps the sections on one line, however narrow a window is that shows them', async () => {
    const { page } = await open('/monitors');
    const links = page.getByRole('navigation', { name: 'Application' }).getByRole('link');
    for (let width = 768; width <= 1_280; width += 32) {
      await page.setViewportSize({ width, height: 800 });
      const boxes = await Promise.all((await links.all()).map((link) => link.boundingBox()));
      expect({ width, lines: new Set(boxes.map((box) => box!.y)).size }).toEqual({ width, lines: 1 });
      const menu = await page.locator('summary', { hasText: 'Menu' }).boundingBox();
      expect(boxes.at(-1)!.x + boxes.at(-1)!.width).toBeLessThan(menu!.x);
      expect(menu!.x + menu!.width).toBeLessThanOrEqual(width);
    }
  });

  it.each([
    ['on a desktop', {}],
    ['on a phone', { viewport: PHONE }],
  ])('has menus that close on Escape and return the focus, and close on a click elsewhere, %s', async (_, options) => {
    const visit = await open('/monitors?q=shop', options);
    const { page } = visit;
    for (const summary of [page.locator('summary', { hasText: 'Menu' }), page.locator('tbody summary')]) {
      const item = summary.locator('xpath=..').locator('a, button').last();
      await summary.focus();
      await page.keyboard.press('Enter');
      await item.waitFor();
      await item.focus();
      await expectAccessible(page, WCAG, 'details.menu[open]');
      await page.keyboard.press('Escape');
      await item.waitFor({ state: 'hidden' });
      expect(await summary.evaluate((one) => one === document.activeElement)).toBe(true);
      await summary.click();
      await item.waitFor();
      expect(await item.evaluate(IS_ON_TOP)).toBe(true);
      await page.getByRole('heading', { level: 1 }).click();
      await item.waitFor({ state: 'hidden' });
    }
    await expectNoFaults(visit);
  });

  it('changes the theme from the menu without leaving the page', async () => {
    const { page } = await open('/monitors');
    await page.locator('summary', { hasText: 'Menu' }).click();
    await page.getByRole('button', { name: 'Dark', exact: true }).click();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    expect(await isSame(page)).toBe(true);
    await page.reload();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  });
});

/** Returns whether an element is in the viewport and nothing covers it. */
const IS_ON_TOP = (one: Element): boolean => {
  const { left, top, width, height } = one.getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, top + height / 2);
  return found !== null && one.contains(found);
};
