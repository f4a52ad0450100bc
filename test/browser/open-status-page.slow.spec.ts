import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Browser, type Page, type Request, type Response } from 'playwright-core';
import { MINUTE_MS } from '../../src/domain/durations.js';
import { type StatusPageDto } from '../../src/modules/status-pages/dto/status-page.dto.js';
import { sharedApp, type TestApp } from '../support/app.js';
import { type Client } from '../support/client.js';
import { createMonitor, httpMonitor, untilStatus } from '../support/monitors.js';
import { answers, startTarget, type Target } from '../support/target.js';
import { launchChromium } from './support/chromium.js';
import { describeInBrowser } from './support/describe-in-browser.js';
import { expectAccessible, expectNoFaults } from './support/expectations.js';
import { Visit, type VisitOptions } from './support/visit.js';

/** The live region that announces changes to screen readers. */
const NEWS = '[aria-live=polite]';
/** Waits until the page has processed all earlier responses. */
const READ = `fetch(location.href).then((answer) => answer.text())`;

describeInBrowser('an open status page', () => {
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

  /** Opens the page with a clock that the test advances. */
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

  /** Advances the clock by a minute, and waits until the page has reloaded its data. */
  async function minuteLater(page: Page): Promise<Response> {
    const [answer] = await Promise.all([
      page.waitForResponse((one) => new URL(one.url()).pathname === path),
      page.clock.fastForward(MINUTE_MS),
    ]);
    await answer.finished();
    return answer;
  }

  it('updates its content, title and icon, and keeps the scroll position', async () => {
    await change({ description: 'Line\n'.repeat(100) });
    const visit = await open();
    const { page } = visit;
    await page.getByText('All systems are operational.').waitFor();
    await page.locator('summary', { hasText: 'Daily history' }).click();
    await page.evaluate('scrollTo(0, 300)');
    const { body: incident } = await api.post<{ id: string }>('/v1/incidents', {
      title: 'Cards are refused',
      monitorIds: [monitorId],
      impact: 'down',
    });
    await minuteLater(page);
    await page.getByText('Cards are refused.', { exact: true }).first().waitFor();
    expect(await page.title()).toContain('outage · Example');
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toContain('/down.svg');
    expect(await page.locator('details[open]').count()).toBe(1);
    expect(await page.evaluate<number>('scrollY')).toBe(300);
    // A day alone, such as "2026-08-28", is in no zone.
    for (const time of await page.locator('main time[datetime*=T]').all()) {
      expect(await time.getAttribute('title')).toContain('UTC');
    }
    expect(await page.locator(NEWS).textContent()).toBe('Cards are refused.');
    await expectAccessible(page);

    // Other changes are not announced.
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

  it('does not change while a reader navigates by keyboard or selects text', async () => {
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

  it('reloads if its theme or accent colour changes', async () => {
    const visit = await open();
    await change({ accentColor: '#d9480f', theme: 'dark' });
    await Promise.all([visit.page.waitForEvent('load'), minuteLater(visit.page)]);
    expect(await visit.page.locator('html').getAttribute('data-theme')).toBe('dark');
    expect(await visit.page.locator('link[href*=d9480f]').count()).toBe(1);
    await expectNoFaults(visit);
  });

  it('does not update while it is hidden, and updates as soon as it is visible', async () => {
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

  it('stays unchanged while it cannot be loaded, and updates again afterwards', async () => {
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

  it('updates with the password of its reader, and stops requesting itself once the password is wrong', async () => {
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

  it('asks readers without JavaScript to reload it', async () => {
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

  it("shows the reader's time or that of the page, and remembers the choice", async () => {
    await change({ timezone: 'Asia/Tokyo' });
    const { page } = await open();
    const moment = page.locator('.overall-box time').last();
    const local = await moment.textContent();
    expect(local).not.toContain('GMT+9');
    await page.getByText(/Times are in your time zone, /).waitFor();
    const days = page.locator('.day h3').last();
    expect(await days.textContent()).toMatch(/^\w{3} \d+, \d{4}/);
    await page.getByRole('button', { name: 'Show times in Asia/Tokyo' }).click();
    expect(await days.textContent()).toMatch(/^\d+ \w{3} \d{4}/);
    expect(await moment.textContent()).toMatch(/GMT\+9|JST/);
    await page.reload();
    await page.getByText('Times are in Asia/Tokyo.').waitFor();
    expect(await moment.textContent()).toMatch(/GMT\+9|JST/);
    await minuteLater(page);
    await page.getByRole('button', { name: 'Show local times' }).click();
    expect(await moment.textContent()).not.toMatch(/GMT\+9|JST/);
    await expectAccessible(page);
  });

  it('keeps a collapsed group closed until one of its components gets into trouble', async () => {
    await change({ components: [{ monitorId, name: 'Shop', group: 'Sales' }] });
    const { page } = await open();
    const group = page.locator('details.group');
    await group.getByText('Operational').first().waitFor();
    await page.locator('details.group > summary').click();
    await change({ description: 'New.' });
    await minuteLater(page);
    await page.getByText('New.').waitFor();
    expect(await group.getAttribute('open')).toBeNull();
    target.behave('/shop', answers(503));
    await untilStatus(api, monitorId, 'down');
    await minuteLater(page);
    await group.getByText('0 of 1 operational').waitFor();
    expect(await group.getAttribute('open')).not.toBeNull();
    target.behave('/shop', answers(200));
    await untilStatus(api, monitorId, 'up');
  });
});
