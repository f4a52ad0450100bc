import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Browser, type Page, type Request, type Response } from 'playwright-core';
import { type StatusPageDto } from '../../src/modules/status-pages/dto/status-page.dto.js';
import { sharedApp, type TestApp } from '../support/app.js';
import { type Client } from '../support/client.js';
import { createMonitor, httpMonitor, untilStatus } from '../support/monitors.js';
import { startTarget, type Target } from '../support/target.js';
import { launchChromium } from './support/chromium.js';
import { describeInBrowser } from './support/describe-in-browser.js';
import { expectAccessible, expectNoFaults } from './support/expectations.js';
import { Visit, type VisitOptions } from './support/visit.js';

const MINUTE_MS = 60_000;
/** Where readers of screens hear what is new. */
const NEWS = '[aria-live=polite]';
/** All that is asked for and answered by now has been read. */
const READ = `fetch(location.href).then((answer) => answer.text())`;

describeInBrowser('a status page that is left open', () => {
  let app: TestApp;
  let api: Client;
  let target: Target;
  let browser: Browser;
  let monitorId: string;
  let path: string;
  let pageId: string;
  const visits = new Set<Visit>();

  beforeAll(async () => {
    [app, target, browser] = await Promise.all([sharedApp(), startTarget(), launchChromium()]);
    api = app.api(app.teams.ours.write);
    monitorId = (await createMonitor(api, httpMonitor(target.url('/shop')))).id;
    await untilStatus(api, monitorId, 'up');
  }, 120_000);
  beforeEach(async () => {
    const slug = randomUUID();
    const components = [{ monitorId, name: 'Shop' }];
    const { body } = await api.post<StatusPageDto>('/v1/status-pages', { name: 'Example', slug, components });
    [path, pageId] = [`/status/${slug}`, body.id];
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

  /** With a clock that the test moves on. */
  async function open(options: VisitOptions = {}): Promise<Visit> {
    const visit = await Visit.begin(browser, app.origin, options);
    visits.add(visit);
    await visit.page.clock.install();
    await visit.page.goto(path);
    return visit;
  }

  const change = async (more: object): Promise<void> => {
    expect(await api.patch(`/v1/status-pages/${pageId}`, more)).toMatchObject({ status: 200 });
  };

  /** Waits until the page has asked for itself, and has read the answer. */
  async function minuteLater(page: Page): Promise<Response> {
    const [answer] = await Promise.all([
      page.waitForResponse((one) => new URL(one.url()).pathname === path),
      page.clock.fastForward(MINUTE_MS),
    ]);
    await answer.finished();
    return answer;
  }

  it('follows, in what it says, its title and icon, and leaves the reader where they are', async () => {
    await change({ description: 'Line\n'.repeat(100) });
    const visit = await open();
    const { page } = visit;
    await page.getByText('All systems are operational.').waitFor();
    await page.locator('summary').click();
    await page.evaluate('scrollTo(0, 300)');
    const { body: incident } = await api.post<{ id: string }>('/v1/incidents', {
      ...{ title: 'Cards are refused', monitorIds: [monitorId], impact: 'down' },
    });
    await minuteLater(page);
    await page.getByText('Cards are refused.', { exact: true }).first().waitFor();
    expect(await page.title()).toContain('outage · Example');
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toContain('/down.svg');
    expect(await page.locator('details[open]').count()).toBe(1);
    expect(await page.evaluate<number>('scrollY')).toBe(300);
    for (const time of await page.locator('main time[datetime]').all()) {
      expect(await time.getAttribute('title')).toMatch(/^[^(]*\(?[^(]*\n[^(]+ \(your time\)$/);
    }
    expect(await page.locator(NEWS).textContent()).toBe('Cards are refused.');
    await expectAccessible(page);

    // What is no news is not told.
    await page.locator(NEWS).evaluate((one) => void (one.textContent = ''));
    await change({ name: 'Renamed' });
    await minuteLater(page);
    await page.getByRole('heading', { name: 'Renamed' }).waitFor();
    expect(await page.locator(NEWS).textContent()).toBe('');
    await api.post(`/v1/incidents/${incident.id}/updates`, { phase: 'resolved', text: 'They are taken again.' });
    await minuteLater(page);
    await page.locator(NEWS).getByText('All systems are operational.').waitFor();
    await expectNoFaults(visit);
  });

  it('waits while a reader goes by keyboard or selects a text', async () => {
    const { page } = await open();
    const heading = page.getByRole('heading', { level: 1 });
    const expectHeld = async (): Promise<void> => {
      await minuteLater(page);
      await page.evaluate(READ);
      expect(await heading.textContent()).toBe('Example');
    };
    await change({ name: 'Renamed' });
    await page.keyboard.press('Tab');
    await expectHeld();
    await page.evaluate('document.activeElement.blur()');
    await heading.selectText();
    await expectHeld();
    await page.evaluate('getSelection().removeAllRanges()');
    await minuteLater(page);
    await page.getByRole('heading', { name: 'Renamed' }).waitFor();
  });

  it('is loaded anew where it is drawn with something else', async () => {
    const visit = await open();
    await change({ accentColor: '#d9480f', theme: 'dark' });
    await Promise.all([visit.page.waitForEvent('load'), minuteLater(visit.page)]);
    expect(await visit.page.locator('html').getAttribute('data-theme')).toBe('dark');
    expect(await visit.page.locator('link[href*=d9480f]').count()).toBe(1);
    await expectNoFaults(visit);
  });

  it('rests while nobody sees it, and is up to date as soon as somebody does', async () => {
    const { page } = await open();
    const see = (hidden: boolean): Promise<void> =>
      page.evaluate(
        `Object.defineProperty(document, 'hidden', { configurable: true, value: ${hidden} });
         document.dispatchEvent(new Event('visibilitychange'))`,
      );
    await see(true);
    await change({ name: 'Renamed' });
    await page.clock.fastForward(60 * MINUTE_MS);
    await page.evaluate(READ);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Example');
    await see(false);
    await page.getByRole('heading', { name: 'Renamed' }).waitFor();
  });

  it('stays as it is while it cannot be had, and follows again after that', async () => {
    const visit = await open();
    const { page } = visit;
    await page.context().setOffline(true);
    const ofPage = (one: Request): boolean => new URL(one.url()).pathname === path;
    await Promise.all([page.waitForEvent('requestfailed', ofPage), page.clock.fastForward(MINUTE_MS)]);
    expect(await page.getByText('All systems are operational.').isVisible()).toBe(true);
    await page.context().setOffline(false);
    await change({ published: false });
    expect((await minuteLater(page)).status()).toBe(404);
    expect(await page.getByText('All systems are operational.').isVisible()).toBe(true);
    const others = (await visit.takeFaults()).filter((fault) => !/ERR_INTERNET_DISCONNECTED| 404 for /.test(fault));
    expect(others).toEqual([]);
    await change({ published: true, name: 'Renamed' });
    await minuteLater(page);
    await page.getByRole('heading', { name: 'Renamed' }).waitFor();
  });

  it('follows with the password that its reader has given, and asks for no other one every minute', async () => {
    const password = 'correct horse battery';
    await change({ accessType: 'password', password });
    const { page } = await open({ httpCredentials: { username: 'reader', password } });
    await change({ name: 'Renamed' });
    expect((await minuteLater(page)).status()).toBe(200);
    await page.getByRole('heading', { name: 'Renamed' }).waitFor();
    await change({ password: 'another horse battery' });
    expect((await minuteLater(page)).status()).toBe(401);
    let asked = 0;
    page.on('request', () => asked++);
    for (let minute = 0; minute < 5; minute++) await page.clock.fastForward(MINUTE_MS);
    await page.evaluate(READ);
    expect(asked).toBe(1);
  });

  it('says how to reload it where there is no script', async () => {
    const { page } = await open();
    expect(await page.locator('noscript').isVisible()).toBe(false);
    await change({ name: 'Renamed' });
    await minuteLater(page);
    await page.getByRole('heading', { name: 'Renamed' }).waitFor();
    expect(await page.locator('noscript').isVisible()).toBe(false);
    const without = await Visit.begin(browser, app.origin, { javaScriptEnabled: false });
    visits.add(without);
    await without.page.goto(path);
    const words = without.page.locator('noscript');
    expect(await words.isVisible()).toBe(true);
    expect(await words.textContent()).toBe(' Reload the page for newer data.');
  });
});
