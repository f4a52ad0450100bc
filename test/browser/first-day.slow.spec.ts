import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, type Locator, type Page } from 'playwright-core';
import { stopOrphan } from '../../src/database/embedded/running-server.js';
import { MARK_WORDS } from '../../src/html/marks.js';
import { PASSWORD } from '../support/people.js';
import { eventually } from '../support/eventually.js';
import { ServiceProcess } from '../support/service.js';
import { startSwitchable, type Switchable } from '../support/switchable.js';
import { launchChromium } from './support/chromium.js';
import { describeInBrowser } from './support/describe-in-browser.js';
import { expectNoFaults } from './support/expectations.js';
import { Visit } from './support/visit.js';

const run = promisify(execFile);
const EMAIL = 'jo@example.com';
const MONITOR = 'Checkout';

/** The steps of a user who starts the service for the first time. Each test continues from the one before. */
describeInBrowser(
  'the first day',
  () => {
    let dataDir: string;
    let service: ServiceProcess;
    let target: Switchable;
    let browser: Browser;
    let visit: Visit;
    let page: Page;
    let secret: string;
    beforeAll(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'daywatch-first-day-'));
      target = await startSwitchable();
      const settings = { ALLOW_PRIVATE_TARGETS: '127.0.0.0/8', MIN_INTERVAL_SECONDS: '1' };
      service = await ServiceProcess.start(dataDir, settings);
      browser = await launchChromium();
      visit = await Visit.begin(browser, service.origin);
      ({ page } = visit);
    }, 120_000);
    afterAll(async () => {
      await browser?.close();
      await service?.end('SIGKILL');
      await stopOrphan(dataDir);
      await target?.down();
      await rm(dataDir, { recursive: true, force: true });
    });

    const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
    const follow = (name: string | RegExp): Promise<void> => page.getByRole('link', { name, exact: true }).click();
    const reads = (text: string): Promise<void> => page.getByText(text).first().waitFor();

    /** Returns the row of the monitor in the list, found by its visible name. */
    const row = (): Locator =>
      page.getByRole('row').filter({ has: page.getByRole('link', { name: MONITOR, exact: true }) });

    const counts = (): Locator => page.getByRole('list', { name: 'Monitors by state' });

    /** Sends a request with curl and the API key from the page. Returns the status and body. */
    async function curl(method: string, path: string, body?: object): Promise<{ status: number; text: string }> {
      const sent = body ? ['-H', 'Content-Type: application/json', '-d', JSON.stringify(body)] : [];
      const { stdout } = await run('curl', [
        '-sS',
        '-X',
        method,
        '-H',
        `Authorization: Bearer ${secret}`,
        ...sent,
        '-w',
        '\n%{http_code}',
        service.origin + path,
      ]);
      const end = stdout.lastIndexOf('\n');
      return { status: Number(stdout.slice(end + 1)), text: stdout.slice(0, end) };
    }

    it('starts with the setup link in the log, which creates the owner', async () => {
      const [, link] = service.lines.map((line) => /^Set up the application: (\S+)$/.exec(line)).find(Boolean) ?? [];
      await page.goto(link!);
      await page.getByLabel('Your name').fill('Jo');
      await page.getByLabel('Email').fill(EMAIL);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByLabel('Team name').fill('Example');
      await press('Set up');
      await page.waitForURL(`${service.origin}/`);
      await reads('Example');
      await expectNoFaults(visit);
    });

    it('allows signing out and in again', async () => {
      await page.locator('summary', { hasText: 'Menu' }).click();
      await press('Sign out');
      await reads('You are signed out.');
      await page.getByLabel('Email').fill(EMAIL);
      await page.getByLabel('Password').fill('a wrong password');
      await press('Sign in');
      await reads('The email or password is incorrect.');
      await page.getByLabel('Password').fill(PASSWORD);
      await press('Sign in');
      await page.waitForURL(`${service.origin}/`);
      await expectNoFaults(visit);
    });

    it('creates an API key under Settings, with a curl command that works unchanged', async () => {
      await follow('Settings');
      await follow('API keys');
      await page.getByLabel('Name').fill('Pipeline');
      await page.getByRole('radio', { name: /^Write/ }).check();
      await press('Create API key');
      secret = (await page.getByLabel('secret', { exact: true }).textContent())!;
      expect(secret).toMatch(/^dw_[0-9A-Za-z]{51}_[0-9A-Za-z]{6}$/);
      const line = (await page.getByLabel('curl command').textContent())!;
      const { stdout } = await run('sh', ['-c', line]);
      expect(JSON.parse(stdout)).toMatchObject({ name: 'Pipeline', scopes: ['write'] });
      await follow('Done');
      expect(await page.getByText(secret).count()).toBe(0);
      await expectNoFaults(visit);
    });

    it('shows a monitor created with curl on the open page', async () => {
      await follow('Monitors');
      await reads('● Live');
      const definition = { name: MONITOR, type: 'http', url: target.url, intervalSeconds: 1, timeoutMs: 1_000 };
      expect(await curl('PUT', '/v1/monitors/key:checkout', definition)).toMatchObject({ status: 201 });
      await row().getByText(MARK_WORDS.up, { exact: true }).first().waitFor();
      await expectNoFaults(visit);
    });

    it('announces another monitor there, and does not change the list until the link is followed', async () => {
      await reads('● Live');
      const definition = { name: 'Search', type: 'http', url: target.url, paused: true };
      expect(await curl('PUT', '/v1/monitors/key:search', definition)).toMatchObject({ status: 201 });
      await reads('Show 1 new monitor');
      expect(await page.getByRole('link', { name: 'Search', exact: true }).count()).toBe(0);
      await page.getByRole('link', { name: 'Show 1 new monitor' }).click();
      await page.getByRole('link', { name: 'Search', exact: true }).waitFor();
      await expectNoFaults(visit);
    });

    it('shows on the open page that a target is down', async () => {
      await reads('● Live');
      await page.evaluate('window.isSamePage = true');
      await target.down();
      await row().getByText(MARK_WORDS.down, { exact: true }).first().waitFor({ timeout: 15_000 });
      await counts().getByText('1 Down', { exact: true }).waitFor();
      expect(await page.title()).toBe('▲ Monitors · Daywatch');
      expect(await page.evaluate('window.isSamePage')).toBe(true);
      await expectNoFaults(visit);
    });

    it('adds new checks to the page of the monitor, except while a link in the table has the focus', async () => {
      await follow(MONITOR);
      await reads('● Live');
      await page.evaluate('window.isSamePage = true');
      const newest = page.getByRole('table', { name: 'Checks' }).getByRole('link').first();
      const address = (): Promise<string | null> => newest.getAttribute('href');
      const checkedAt = () => page.locator('[data-live=last] time').getAttribute('datetime');
      const next = async (read: () => Promise<string | null>): Promise<void> => {
        const before = await read();
        await eventually(async () => expect(await read()).not.toBe(before));
      };
      await next(address);

      await newest.focus();
      const held = await address();
      // Twice, so that everything sent together with the first update has been processed.
      await next(checkedAt);
      await next(checkedAt);
      expect(await address()).toBe(held);
      expect(await page.evaluate(`document.activeElement.getAttribute('href')`)).toBe(held);
      await newest.blur();
      await next(address);

      await page.getByRole('table', { name: 'Incidents' }).getByRole('link').first().waitFor();
      expect(await page.title()).toBe(`▲ ${MONITOR} · Daywatch`);
      expect(await page.evaluate('window.isSamePage')).toBe(true);
      await expectNoFaults(visit);
    });

    it('shows the outage on a public page created with curl', async () => {
      const definition = { name: 'Example status', slug: 'example', published: true, monitorIds: ['key:checkout'] };
      expect(await curl('PUT', '/v1/status-pages/key:example', definition)).toMatchObject({ status: 201 });
      const stranger = await Visit.begin(browser, service.origin);
      await stranger.page.goto('/status/example');
      await stranger.page.getByText(MONITOR, { exact: true }).first().waitFor();
      await stranger.page.getByText(MARK_WORDS.down, { exact: true }).first().waitFor();
      await expectNoFaults(stranger);
      await stranger.end();
    });

    it('rejects requests of curl once the key is revoked', async () => {
      await follow('Settings');
      await follow('Revoke Pipeline');
      await press('Revoke key');
      await reads('API key revoked.');
      expect(await curl('GET', '/v1/monitors')).toMatchObject({ status: 401 });
      await expectNoFaults(visit);
    });
  },
  ['curl'],
);
