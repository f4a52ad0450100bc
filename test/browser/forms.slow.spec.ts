import { expect, it } from '@jest/globals';
import { type Page } from 'playwright-core';
import { getMonitor } from '../support/monitors.js';
import { describeInBrowser } from './support/describe-in-browser.js';
import { expectNoFaults } from './support/expectations.js';
import { type Stage } from './support/stage.js';
import { useStage } from './support/use-stage.js';

const NEW = '/monitors/new';

describeInBrowser('a form', () => {
  let stage: Stage;
  useStage((opened) => (stage = opened));

  const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
  const pressed = (page: Page, name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).press('Enter');
  const unfold = (page: Page, section: string): Promise<void> =>
    page.locator('summary', { hasText: section }).press('Enter');

  it.each([false, true])('shows the fields of a choice only while it is selected (script: %p)', async (script) => {
    const { page } = await stage.visitPath(NEW, { javaScriptEnabled: script });
    const seen = (label: string): Promise<boolean> => field(page, label).isVisible();
    expect(await seen('Check every, in seconds')).toBe(false);
    await field(page, 'Check every').selectOption('custom');
    expect(await seen('Check every, in seconds')).toBe(true);

    await unfold(page, 'Authentication');
    const fields = async () => [await seen('Username'), await seen('Password'), await seen('Token')];
    expect(await fields()).toEqual([false, false, false]);
    await field(page, 'Authentication').selectOption('basic');
    expect(await fields()).toEqual([true, true, false]);
    await field(page, 'Authentication').selectOption('bearer');
    expect(await fields()).toEqual([false, false, true]);

    await page.goto('/maintenance/new');
    const recurrence = async () => [await seen('Sunday'), await seen('Recurrence rule')];
    expect(await recurrence()).toEqual([false, false]);
    await field(page, 'Repeats').selectOption('weekly');
    expect(await recurrence()).toEqual([true, false]);
    await field(page, 'Repeats').selectOption('rule');
    expect(await recurrence()).toEqual([false, true]);

    await page.goto('/settings/api-keys');
    expect(await seen('Expiry date')).toBe(false);
    await field(page, 'Expires').selectOption('date');
    expect(await seen('Expiry date')).toBe(true);
  });

  it('adds and removes assertions by keyboard, and saves those that are left', async () => {
    const visit = await stage.visitPath(NEW);
    const { page } = visit;
    await field(page, 'Name').fill('By keyboard');
    await field(page, 'URL').fill('http://127.0.0.1:9/');
    await unfold(page, 'Success criteria');
    expect(await field(page, 'Assertion 1: source').count()).toBe(0);

    await pressed(page, 'Add assertion');
    expect(await page.evaluate(`document.activeElement.getAttribute('aria-label')`)).toBe('Assertion 1: source');
    await field(page, 'Assertion 1: value').fill('200');
    await pressed(page, 'Add assertion');
    await field(page, 'Assertion 2: source').selectOption('jsonBody');
    await field(page, 'Assertion 2: property').fill('$.ok');
    await field(page, 'Assertion 2: comparison').selectOption('exists');
    expect(await field(page, 'Assertion 2: value').isVisible()).toBe(false);
    expect(await page.getByText('The property is a JSONPath').last().isVisible()).toBe(true);
    await pressed(page, 'Remove assertion 1');
    expect(await page.evaluate(`document.activeElement.textContent`)).toBe('Add assertion');

    await pressed(page, 'Create monitor');
    await page.getByText('Monitor created.').first().waitFor();
    expect(visit.questions).toBe(0);
    const { app } = stage.world;
    const monitor = await getMonitor(app.api(app.teams.ours.write), new URL(page.url()).pathname.split('/')[2]!);
    expect(monitor.assertions).toMatchObject([{ source: 'jsonBody', property: '$.ok', comparison: 'exists' }]);
    await expectNoFaults(visit);
  });

  it('starts a TLS monitor with its usual assertion, and offers at most 20', async () => {
    const { page } = await stage.visitPath(`${NEW}?type=tls`);
    await unfold(page, 'Success criteria');
    expect(await field(page, 'Assertion 1: source').inputValue()).toBe('tlsDaysLeft');
    expect(await field(page, 'Assertion 1: value').inputValue()).toBe('14');
    const add = page.getByRole('button', { name: 'Add assertion' });
    for (let count = 1; count < 20; count += 1) await add.click();
    expect(await add.isDisabled()).toBe(true);
    await pressed(page, 'Remove assertion 7');
    expect(await add.isEnabled()).toBe(true);
  });

  it('keeps what all types have in common when the type changes', async () => {
    const visit = await stage.visitPath(NEW);
    const { page } = visit;
    await field(page, 'Name').fill('Carried');
    await field(page, 'Tags').fill('a, b');
    await field(page, 'Check every').selectOption('300');
    await page.getByRole('link', { name: /^TCP port/ }).click();
    await field(page, 'Port').waitFor();
    expect(await field(page, 'Name').inputValue()).toBe('Carried');
    expect(await field(page, 'Tags').inputValue()).toBe('a, b');
    expect(await field(page, 'Check every').inputValue()).toBe('300');
    expect(visit.questions).toBe(0);
    await field(page, 'Port').fill('443');
    await page.getByRole('link', { name: /^DNS/ }).click();
    await field(page, 'Record type').waitFor();
    expect(visit.questions).toBe(1);
  });

  it.each([
    ['a monitor', NEW, 'Name'],
    ['a maintenance window', '/maintenance/new', 'Name'],
    ['an incident', '/incidents/new', 'Title'],
  ])('of %s asks before edits are lost, and only then', async (_, path, label) => {
    const visit = await stage.visitPath(path);
    const { page } = visit;
    const leave = async (): Promise<void> => {
      await page.getByRole('link', { name: 'Incidents', exact: true }).first().click();
      await page.waitForURL('**/incidents');
    };
    await leave();
    expect(visit.questions).toBe(0);

    await page.goto(path);
    await field(page, label).fill('Edited');
    await field(page, label).fill('');
    await leave();
    expect(visit.questions).toBe(0);

    await page.goto(path);
    await field(page, label).fill('Edited');
    await leave();
    expect(visit.questions).toBe(1);

    // A form that was refused has not been saved, even if it has not been edited since.
    await page.goto(path);
    await field(page, label).fill('Edited');
    await page.locator('main form').evaluate((form) => form.setAttribute('novalidate', ''));
    await page.locator('main form .buttons > button:not(.plain)').last().click();
    await page.getByText('Fix the following').waitFor();
    expect(visit.questions).toBe(1);
    await leave();
    expect(visit.questions).toBe(2);
    await expectNoFaults(visit);
  });
});
