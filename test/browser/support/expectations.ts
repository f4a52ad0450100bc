import { expect } from '@jest/globals';
import axe from 'axe-core';
import { type Page } from 'playwright-core';
import { eventually } from '../../support/eventually.js';
import { DESKTOP, PHONE, type Visit } from './visit.js';

/** Rules of axe: all of WCAG 2.2 A and AA, and those that depend on the theme. */
export const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
export const COLOURS = ['color-contrast', 'link-in-text-block'];

/** A script that opens all `details` elements but menus, so that their content is checked too. */
export const UNFOLD = `for (const one of document.querySelectorAll('details:not(.menu)')) one.open = true`;

/** A script that opens all menus at once, which readers cannot do: each closes the others. */
export const OPEN_MENUS = `for (const one of document.querySelectorAll('details.menu')) one.open = true`;

interface Violation {
  rule: string;
  elements: string[];
}

/** Fails if the page, or the part of it that a selector finds, violates a rule of WCAG 2.2 A or AA that axe can check. */
export async function expectAccessible(
  page: Page,
  rules: readonly string[] = WCAG,
  part: string | null = null,
): Promise<void> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  // No rule here reads style sheets, which axe would otherwise load again for each run.
  const options = JSON.stringify({ runOnly: rules, resultTypes: ['violations'], preload: false });
  const found = await page.evaluate<Violation[]>(
    `axe.run(${part === null ? 'document' : JSON.stringify(part)}, ${options}).then(({ violations }) => violations.map(({ id, nodes }) => ({
      rule: id, elements: nodes.map(({ html, any }) => html.slice(0, 200) + ' ' + (any[0]?.message ?? '')) })))`,
  );
  expect(found).toEqual([]);
}

/** Fails if part of the page is wider than a small phone. Restores the desktop size afterwards. */
export async function expectFitsPhone(page: Page): Promise<void> {
  await page.setViewportSize(PHONE);
  const tooWide = `document.documentElement.scrollWidth <= ${PHONE.width} ? [] : [...document.querySelectorAll('body *')]
      .filter((one) => one.getBoundingClientRect().right > ${PHONE.width} && one.checkVisibility())
      .map((one) => one.outerHTML.slice(0, 120))`;
  // Charts are redrawn with a delay after a resize.
  await eventually(async () => expect(await page.evaluate<string[]>(tooWide)).toEqual([]));
  await page.setViewportSize(DESKTOP);
}

/** Opens the first menu of the page, the second and the last, one after the other. Fails if one has a fault. */
export async function expectMenus(page: Page): Promise<void> {
  const menus = page.locator('details.menu');
  const count = await menus.count();
  for (const at of new Set([0, 1, count - 1])) {
    if (at < 0 || at >= count) continue;
    await menus.nth(at).evaluate((one) => void ((one as HTMLDetailsElement).open = true));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page, WCAG, 'details.menu[open]');
    }
    await expectFitsPhone(page);
    await menus.nth(at).evaluate((one) => void ((one as HTMLDetailsElement).open = false));
  }
}

/** Fails if an error has occurred on the page since the last call. */
export async function expectNoFaults(visit: Visit): Promise<void> {
  expect(await visit.takeFaults()).toEqual([]);
}
