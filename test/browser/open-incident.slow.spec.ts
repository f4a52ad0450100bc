import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { type Browser, type Page } from 'playwright-core';
import { sharedApp, type TestApp } from '../support/app.js';
import { type Client } from '../support/client.js';
import { quietMonitor } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { getIncident, reportIncident } from '../support/incidents.js';
import { signedIn } from '../support/people.js';
import { launchChromium } from './support/chromium.js';
import { describeInBrowser } from './support/describe-in-browser.js';
import { expectNoFaults } from './support/expectations.js';
import { Visit } from './support/visit.js';

/** The interval at which an open page asks for changes. */
const EVERY_MS = 5_000;

describeInBrowser('an open incident', () => {
  let app: TestApp;
  let api: Client;
  let browser: Browser;
  let monitorId: string;
  const visits = new Set<Visit>();

  beforeAll(async () => {
    [app, browser] = await Promise.all([sharedApp(), launchChromium()]);
    api = app.api(app.teams.ours.write);
    monitorId = await quietMonitor(app, 'Checkout');
  }, 120_000);
  afterEach(async () => {
    for (const visit of visits) await visit.end();
    visits.clear();
  });
  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  /** Opens the page of a new incident with a clock that the test advances. */
  async function open(): Promise<{ id: string; userId: string; visit: Visit; page: Page }> {
    const { id } = await reportIncident(api, [monitorId]);
    const as = await signedIn(app, 'editor');
    const visit = await Visit.begin(browser, app.origin, { as });
    visits.add(visit);
    await visit.page.clock.install();
    await visit.page.goto(`/incidents/${id}`);
    await visit.page.getByText('● Live').waitFor();
    return { id, userId: as.person.userId, visit, page: visit.page };
  }

  /** Advances the clock until the page asks for changes, and waits until it has processed the response. */
  async function later(page: Page, id: string): Promise<number> {
    const [answer] = await Promise.all([
      page.waitForResponse((one) => new URL(one.url()).pathname === `/incidents/${id}`),
      page.clock.fastForward(EVERY_MS),
    ]);
    // The page has processed all earlier responses then.
    await page.evaluate(`fetch('/healthz').then((answer) => answer.text())`);
    return answer.status();
  }

  it('shows what others do, and keeps what the reader has typed', async () => {
    const { id, visit, page } = await open();
    expect(await later(page, id)).toBe(304);
    await page.getByLabel('Message').fill('We are');
    await api.post(`/v1/incidents/${id}/acknowledge`, { note: 'On it.' });
    await api.post(`/v1/incidents/${id}/updates`, { phase: 'identified', text: 'A **bad** release.' });
    expect(await later(page, id)).toBe(200);
    await page.getByText('On it.', { exact: true }).waitFor();
    expect(await page.locator('.markdown strong').textContent()).toBe('bad');
    expect(await page.getByRole('button', { name: 'Acknowledge', exact: true }).count()).toBe(0);
    expect(await page.getByLabel('Message').inputValue()).toBe('We are');
    expect(await later(page, id)).toBe(304);

    await api.patch(`/v1/incidents/${id}`, { resolvedAt: new Date().toISOString() });
    await later(page, id);
    await eventually(async () => expect(await page.title()).toMatch(/^● /));
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toContain('/up.svg');
    await expectNoFaults(visit);
  });

  it('leaves an open menu alone until it is closed', async () => {
    const { id, page } = await open();
    await page.getByText('More actions').locator('..').click();
    await api.post(`/v1/incidents/${id}/acknowledge`);
    await later(page, id);
    await page.getByText('Acknowledged', { exact: true }).first().waitFor();
    expect(await page.getByRole('link', { name: 'Edit' }).isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await page.locator('h1').click();
    await page.evaluate('document.activeElement.blur()');
    await later(page, id);
    await page.getByRole('button', { name: 'Acknowledge', exact: true }).waitFor({ state: 'detached' });
  });

  it('says that it is not live once the session has ended', async () => {
    const { id, userId, page } = await open();
    await app.query('DELETE FROM sessions WHERE user_id = $1', [userId]);
    await page.getByLabel('Message').fill('Not lost');
    await Promise.all([
      page.waitForResponse((one) => new URL(one.url()).pathname === '/sign-in'),
      page.clock.fastForward(EVERY_MS),
    ]);
    await page.getByText(/^Not live\./).waitFor();
    expect(await page.getByLabel('Message').inputValue()).toBe('Not lost');
    expect(new URL(page.url()).pathname).toBe(`/incidents/${id}`);
  });

  it('posts an update with Ctrl+Enter', async () => {
    const { id, page } = await open();
    await page.getByLabel('Message').fill('We are looking into it.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Update posted.').waitFor();
    expect((await getIncident(api, id)).updates).toMatchObject([{ phase: 'investigating', public: true }]);
  });
});
