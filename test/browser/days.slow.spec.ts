import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Browser, type Locator, type Page } from 'playwright-core';
import { MINUTE_MS } from '../../src/domain/durations.js';
import { sharedApp, type TestApp } from '../support/app.js';
import { type Client } from '../support/client.js';
import { createMonitor, httpMonitor } from '../support/monitors.js';
import { signedIn } from '../support/people.js';
import { createPage } from '../support/status-pages.js';
import { launchChromium } from './support/chromium.js';
import { describeInBrowser } from './support/describe-in-browser.js';
import { expectAccessible, expectFitsPhone, expectNoFaults } from './support/expectations.js';
import { PHONE, Visit, type VisitOptions } from './support/visit.js';

const DAYS = 40;

describeInBrowser('the days of a history', () => {
  let app: TestApp;
  let api: Client;
  let browser: Browser;
  let monitorId: string;
  const visits = new Set<Visit>();

  beforeAll(async () => {
    [app, browser] = await Promise.all([sharedApp(), launchChromium()]);
    api = app.api(app.teams.ours.write);
    monitorId = (await createMonitor(api, httpMonitor('http://127.0.0.1:9/', { paused: true }))).id;
  }, 120_000);
  afterEach(async () => {
    for (const visit of visits) await visit.end();
    visits.clear();
  });
  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  async function open(path: string, options: VisitOptions = {}): Promise<Visit> {
    const visit = await Visit.begin(browser, app.origin, options);
    visits.add(visit);
    await visit.page.clock.install();
    await visit.page.goto(path);
    return visit;
  }

  /** Publishes a page with two components and returns its path. */
  async function publish(): Promise<{ path: string; id: string }> {
    const other = (await createMonitor(api, httpMonitor('http://127.0.0.1:9/', { paused: true }))).id;
    const components = [
      { monitorId, name: 'Shop' },
      { monitorId: other, name: 'Search' },
    ];
    const { slug, id } = await createPage(api, { slug: randomUUID(), historyDays: DAYS, components });
    return { path: `/status/${slug}`, id };
  }

  const barsOf = (page: Page, history = 0): Locator => page.locator('[data-days]').nth(history).locator('svg.bars');
  const bar = (page: Page, ago: number, history = 0): Locator =>
    barsOf(page, history)
      .locator('g')
      .nth(DAYS - 1 - ago);
  const tooltips = (page: Page): Promise<string[]> => page.locator('.tooltip:visible').allTextContents();
  /** Expects one tooltip, which begins with the date that the server gave to this day of each history. */
  async function expectDay(visit: Visit, ago: number): Promise<void> {
    const history = /<svg class="bars".*?<\/svg>/.exec(await visit.html)![0];
    const dates = [...history.matchAll(/<title>(.*?): /g)].map(([, date]) => date!);
    expect(await tooltips(visit.page)).toEqual([expect.stringMatching(new RegExp(`^${dates.at(-1 - ago)!}: `))]);
  }

  it('have tooltips on a public page on hover, one at a time, within the page', async () => {
    const visit = await open((await publish()).path);
    const { page } = visit;
    await bar(page, 3).hover();
    await expectDay(visit, 3);
    await expectAccessible(page);
    await bar(page, 0, 1).hover();
    await expectDay(visit, 0);
    await bar(page, 39, 1).hover();
    await expectDay(visit, 39);
    // The browser would show a title as well.
    expect(await barsOf(page, 1).locator('title').count()).toBe(0);
    await page.getByRole('heading', { level: 1 }).hover();
    expect(await tooltips(page)).toEqual([]);
    await expectNoFaults(visit);
  });

  it('have tooltips on a public page by keyboard, which hold the page as it is', async () => {
    const { path, id } = await publish();
    const visit = await open(path);
    const { page } = visit;
    await page.locator('details.menu > summary').focus();
    await page.keyboard.press('Tab');
    expect(await barsOf(page).evaluate((one) => one === document.activeElement)).toBe(true);
    await expectDay(visit, 0);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await expectDay(visit, 2);
    await page.keyboard.press('ArrowRight');
    await expectDay(visit, 1);
    await page.keyboard.press('Home');
    await expectDay(visit, 39);
    await expectAccessible(page);
    await page.keyboard.press('End');
    await expectDay(visit, 0);
    expect((await api.patch(`/v1/status-pages/${id}`, { name: 'Renamed' })).status).toBe(200);
    await Promise.all([page.waitForResponse(`**${path}`), page.clock.fastForward(MINUTE_MS)]);
    await page.evaluate('fetch(location.href).then((answer) => answer.text())');
    await expectDay(visit, 0);
    await page.keyboard.press('Escape');
    expect(await tooltips(page)).toEqual([]);
    await expectNoFaults(visit);
  });

  it('have tooltips on a public page on tap, until the next tap elsewhere', async () => {
    const visit = await open((await publish()).path, { viewport: PHONE, hasTouch: true });
    const { page } = visit;
    await bar(page, 29).tap();
    await expectDay(visit, 29);
    await expectFitsPhone(page);
    await bar(page, 1, 1).tap();
    await expectDay(visit, 1);
    await page.getByRole('heading', { level: 1 }).tap();
    expect(await tooltips(page)).toEqual([]);
    await expectNoFaults(visit);
  });

  it('still have tooltips on a public page after it has updated itself', async () => {
    const { path, id } = await publish();
    const visit = await open(path);
    const { page } = visit;
    await bar(page, 3).hover();
    expect((await api.patch(`/v1/status-pages/${id}`, { name: 'Renamed' })).status).toBe(200);
    await Promise.all([page.waitForResponse(`**${path}`), page.clock.fastForward(MINUTE_MS)]);
    await page.getByRole('heading', { name: 'Renamed' }).waitFor();
    await page.getByRole('heading', { level: 1 }).hover();
    await bar(page, 5).hover();
    await expectDay(visit, 5);
    await expectNoFaults(visit);
  });

  it('have titles, and are skipped by Tab, without JavaScript', async () => {
    const { page } = await open((await publish()).path, { javaScriptEnabled: false });
    expect(await bar(page, 0).locator('title').textContent()).toMatch(/^\d+ \w+ \d{4}: /);
    expect(await barsOf(page).getAttribute('tabindex')).toBeNull();
    expect(await page.locator('.tooltip').count()).toBe(0);
  });

  it('have tooltips on the page of a monitor', async () => {
    const visit = await open(`/monitors/${monitorId}`, { as: await signedIn(app, 'viewer') });
    const { page } = visit;
    await barsOf(page).locator('g').last().hover();
    await expectDay(visit, 0);
    await barsOf(page).focus();
    await page.keyboard.press('ArrowLeft');
    await expectDay(visit, 1);
    await expectNoFaults(visit);
  });
});
