import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { type Locator, type Page } from 'playwright-core';
import { type StatusPageDto } from '../../src/modules/status-pages/dto/status-page.dto.js';
import { eventually } from '../support/eventually.js';
import { demoContent } from './support/demo-content.js';
import { describeInBrowser } from './support/describe-in-browser.js';
import { expectAccessible, expectNoFaults } from './support/expectations.js';
import { PAGE_ROWS } from './support/page-rows.js';
import { Stage } from './support/stage.js';
import { startStillApp } from './support/world.js';

const EDIT = PAGE_ROWS.find(({ name }) => name === 'page-edit')!;
const NEW = PAGE_ROWS.find(({ name }) => name === 'page-new')!;
const FIRST = 'Storefront: Shop Search Sign-in | Orders: Checkout Deliveries | : Mail';

describeInBrowser('the editor of a status page', () => {
  let stage: Stage;
  let before: StatusPageDto['components'];
  beforeAll(async () => {
    stage = await Stage.open(startStillApp, demoContent(Date.now()));
    before = await stored();
  }, 120_000);
  afterEach(async () => {
    await stage.clear();
    const { app, statusPageId } = stage.world;
    await app.api(app.teams.ours.write).patch(`/v1/status-pages/${statusPageId}`, { components: before });
  });
  afterAll(() => stage.close());

  async function stored(): Promise<StatusPageDto['components']> {
    const { app, statusPageId } = stage.world;
    const { body } = await app.api(app.teams.ours.read).get<StatusPageDto>(`/v1/status-pages/${statusPageId}`);
    return body.components;
  }

  /** Returns the groups with their components as the page shows them. */
  const order = (page: Page): Promise<string> =>
    page.evaluate<string>(
      `[...document.querySelectorAll('.page-group')].map((group) =>
        [...group.querySelectorAll('input[name^=g]')].map(({ value }) => value) + ': ' +
        [...group.querySelectorAll('input[name^=c][name$=".name"]')].map(({ value }) => value).join(' ')).join(' | ')`,
    );
  const handle = (page: Page, name: string): Locator =>
    page.getByRole('button', { name: `Reorder ${name}`, exact: true });
  const save = async (page: Page): Promise<string> => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Status page saved.').first().waitFor();
    return (await stored()).map(({ name, group }) => `${group ?? ''}/${name}`).join(' ');
  };

  it('moves components and groups with the arrow keys, and keeps the focus', async () => {
    const visit = await stage.visit(EDIT);
    const { page } = visit;
    expect(await order(page)).toBe(FIRST);
    await handle(page, 'Search').focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await order(page)).toBe(FIRST.replace('Shop Search', 'Search Shop'));
    await page.getByText('Moved Search to position 1 of 3.').waitFor({ state: 'attached' });
    for (let at = 0; at < 4; at += 1) await page.keyboard.press('ArrowDown');
    expect(await order(page)).toBe('Storefront: Shop Sign-in | Orders: Checkout Search Deliveries | : Mail');
    await handle(page, 'Orders').focus();
    await page.keyboard.press('ArrowUp');
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Reorder Orders');
    expect(await order(page)).toBe('Orders: Checkout Search Deliveries | Storefront: Shop Sign-in | : Mail');
    await expectAccessible(page);
    expect(await save(page)).toBe(
      'Orders/Checkout Orders/Search Orders/Deliveries Storefront/Shop Storefront/Sign-in /Mail',
    );
    await expectNoFaults(visit);
  });

  it('moves components by dragging, also to another group, unless Escape is pressed', async () => {
    const { page } = await stage.visit(EDIT);
    const drag = async (from: string, to: string, drop: () => Promise<void>): Promise<void> => {
      await handle(page, from).scrollIntoViewIfNeeded();
      const [start, target] = [await handle(page, from).boundingBox(), await handle(page, to).boundingBox()];
      await page.mouse.move(start!.x + 8, start!.y + 8);
      await page.mouse.down();
      await page.mouse.move(target!.x + 8, target!.y + 4, { steps: 5 });
      await drop();
    };
    await drag('Mail', 'Deliveries', () => page.mouse.up());
    expect(await order(page)).toBe('Storefront: Shop Search Sign-in | Orders: Checkout Mail Deliveries | : ');
    await drag('Mail', 'Shop', () => page.keyboard.press('Escape'));
    await page.mouse.up();
    expect(await order(page)).toBe('Storefront: Shop Search Sign-in | Orders: Checkout Mail Deliveries | : ');
    await page.getByRole('button', { name: 'Move Shop down', exact: true }).click();
    expect(await order(page)).toContain('Storefront: Search Shop Sign-in');
  });

  it('moves components by buttons without the script', async () => {
    const { page } = await stage.visit(EDIT, { javaScriptEnabled: false });
    expect(await handle(page, 'Shop').count()).toBe(0);
    await page.getByRole('button', { name: 'Move Shop down', exact: true }).click();
    expect(await page.getByLabel('Name of component 2', { exact: true }).inputValue()).toBe('Shop');
    await page.locator('summary').filter({ hasText: 'Actions for Shop' }).click();
    await page.getByRole('button', { name: 'Move to Orders Shop', exact: true }).click();
    expect(await page.getByRole('button', { name: 'Move Mail down', exact: true }).isVisible()).toBe(false);
    expect(await save(page)).toBe(
      'Storefront/Search Storefront/Sign-in Orders/Checkout Orders/Deliveries Orders/Shop /Mail',
    );
  });

  it('shows a preview of the stored page, and of unsaved changes as soon as there are some', async () => {
    const visit = await stage.visit(EDIT);
    const { page } = visit;
    const heading = page.frameLocator('iframe').getByRole('heading', { level: 1 });
    await page.getByText('Shows the page as last saved.').waitFor();
    expect(await heading.textContent()).toBe(stage.world.content.statusPage.name);
    const entries = await page.evaluate('history.length');
    await page.getByLabel('Name', { exact: true }).fill('Renamed');
    await page.getByText('Shows your unsaved changes.').waitFor();
    expect(await heading.textContent()).toBe('Renamed');
    await page.getByLabel('Days of history', { exact: true }).fill('0');
    await eventually(async () => expect(await heading.textContent()).toBe('No preview'));
    await page.getByLabel('Days of history', { exact: true }).fill('30');
    await eventually(async () => expect(await heading.textContent()).toBe('Renamed'));
    expect(await page.locator('iframe').count()).toBe(1);
    expect(await page.evaluate('history.length')).toBe(entries);
    expect((await stored()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    await expectNoFaults(visit);
  });

  it('shows a preview on demand without the script, in the page or in a new tab', async () => {
    const { page } = await stage.visit(NEW, { javaScriptEnabled: false });
    await page.getByLabel('Name', { exact: true }).fill('Without script');
    await page.getByRole('button', { name: 'Update preview' }).click();
    await page.frameLocator('iframe').getByRole('heading', { name: 'Without script' }).waitFor();
    const [tab] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Open preview' }).click(),
    ]);
    await tab.getByRole('heading', { name: 'Without script' }).waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Without script');
  });

  it('asks for a password only on protected pages', async () => {
    const { page } = await stage.visit(NEW, { javaScriptEnabled: false });
    const password = page.getByLabel('Password', { exact: true });
    expect(await password.isVisible()).toBe(false);
    await page.getByRole('radio', { name: /^Password-protected/ }).check();
    expect(await password.isVisible()).toBe(true);
  });
});
