import { expect, it } from '@jest/globals';
import { type Locator, type Page } from 'playwright-core';
import { type MaintenanceWindowDto } from '../../src/modules/maintenance/dto/maintenance-window.dto.js';
import { type StatusPageDto } from '../../src/modules/status-pages/dto/status-page.dto.js';
import { eventually } from '../support/eventually.js';
import { describeInBrowser } from './support/describe-in-browser.js';
import { expectAccessible, expectNoFaults } from './support/expectations.js';
import { type Stage } from './support/stage.js';
import { useStage } from './support/use-stage.js';

describeInBrowser('the picker of monitors', () => {
  let stage: Stage;
  useStage((opened) => (stage = opened));

  const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
  const ticks = (page: Page): Locator => page.locator('input[name=pick]:enabled');
  const named = (page: Page): Promise<string[]> => page.locator('.pick:has(input:checked)').allInnerTexts();
  /** Waits for the page of what has been created in a section, and returns it. */
  const made = async <T>(page: Page, section: string, path = section): Promise<T> => {
    const { app } = stage.world;
    await page.waitForURL(new RegExp(`/${section}/[0-9a-f-]{36}`));
    const id = new URL(page.url()).pathname.split('/')[2]!;
    return (await app.api(app.teams.ours.read).get<T>(`/v1/${path}/${id}`)).body;
  };

  it.each([false, true])('loses no tick, whichever button sends the form (script: %p)', async (script) => {
    const visit = await stage.visitPath('/maintenance/new', { javaScriptEnabled: script });
    const { page } = visit;
    await page.getByLabel('Name', { exact: true }).fill('Upgrades');
    await ticks(page).nth(0).check();
    const search = page.getByLabel('Search monitors', { exact: true });
    await search.fill('Mail');
    await search.press('Enter');
    await page.getByRole('list', { name: 'Selected monitors' }).waitFor();
    await ticks(page).nth(0).check();
    await button(page, 'Schedule maintenance').click();
    expect((await made<MaintenanceWindowDto>(page, 'maintenance', 'maintenance-windows')).monitorIds).toHaveLength(2);
    await expectNoFaults(visit);
  });

  it('builds a page of two groups from ticks alone, without loading the editor again', async () => {
    const visit = await stage.visitPath('/status-pages/new');
    const { page } = visit;
    await page.evaluate(`window.isSamePage = true`);
    await page.getByLabel('Name', { exact: true }).fill('Ticked Status');
    await ticks(page).nth(0).click();
    await ticks(page)
      .nth(2)
      .click({ modifiers: ['Shift'] });
    expect(await named(page)).toHaveLength(3);
    await button(page, 'Add selected').click();
    await page.locator('.page-rows > li').nth(2).waitFor();
    await page.getByLabel('Name of group 1', { exact: true }).fill('First');
    await button(page, 'Add group').click();
    await page.getByLabel('Name of group 2', { exact: true }).waitFor();
    expect(await page.evaluate(`document.activeElement.name`)).toBe('g1.name');
    await page.keyboard.type('Second');
    await page.locator('summary', { hasText: 'Add monitors' }).waitFor();
    await ticks(page).nth(0).click();
    await page.locator('[data-handle]').first().waitFor();
    expect(await page.evaluate(`window.isSamePage`)).toBe(true);
    await expectAccessible(page);
    await button(page, 'Publish').click();
    const { components, slug } = await made<StatusPageDto>(page, 'status-pages');
    expect(components.map(({ group }) => group)).toEqual(['First', 'First', 'First', 'Second']);
    expect(slug).toBe('ticked-status');
    await expectNoFaults(visit);
  });

  it('searches while the reader types, and keeps the search in its place', async () => {
    const { page } = await stage.visitPath('/maintenance/new');
    const search = page.getByLabel('Search monitors', { exact: true });
    await ticks(page).nth(0).check();
    await ticks(page).nth(1).check();
    await search.scrollIntoViewIfNeeded();
    const { y } = (await search.boundingBox())!;
    await search.pressSequentially('Mail');
    await page.getByText('1 found.').waitFor();
    await page.getByRole('list', { name: 'Selected monitors' }).waitFor();
    expect(await page.evaluate(`document.activeElement.name`)).toBe('q');
    expect(Math.abs((await search.boundingBox())!.y - y)).toBeLessThan(2);
    await page
      .getByRole('button', { name: /^Remove / })
      .first()
      .click();
    await page
      .getByRole('list', { name: 'Selected monitors' })
      .getByRole('listitem')
      .nth(1)
      .waitFor({ state: 'detached' });
    expect(await page.evaluate(`document.activeElement !== document.body`)).toBe(true);
  });

  it('keeps what is ticked and pressed while a step is in progress', async () => {
    const { page } = await stage.visitPath('/maintenance/new');
    let asked = 0;
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/maintenance/new', async (route) => {
      asked += 1;
      if (asked === 1) await answered;
      await route.continue();
    });
    const first = await ticks(page).nth(0).getAttribute('value');
    const second = await ticks(page).nth(1).getAttribute('value');
    await page.getByLabel('Search monitors', { exact: true }).fill('nothing like it');
    await eventually(() => expect(asked).toBe(1));
    await page.locator(`input[name=pick][value="${first}"]`).check();
    await button(page, 'Add all 10 shown').click();
    await page.locator(`input[name=pick][value="${second}"]`).check();
    answer();
    await page.getByText('No monitors match').waitFor();
    expect((await page.locator('input[name=monitors]').inputValue()).split(',')).toEqual([first, second]);
  });

  it('asks before unsaved steps are lost', async () => {
    const visit = await stage.visitPath('/maintenance/new');
    const { page } = visit;
    await ticks(page).nth(0).check();
    await button(page, 'Add selected').click();
    await page.getByRole('list', { name: 'Selected monitors' }).waitFor();
    await page.getByRole('link', { name: 'Cancel', exact: true }).click();
    await page.waitForURL(/\/maintenance$/);
    expect(visit.questions).toBe(1);
  });
});
