import { expect } from '@jest/globals';
import axe from 'axe-core';
import { type Page } from 'playwright-core';
import { eventually } from '../../support/eventually.js';
import { DESKTOP, PHONE, type Visit } from './visit.js';

/** In the words of axe: all of them, and those that another theme may break. */
export const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
export const COLOURS = ['color-contrast', 'link-in-text-block'];

/** Opens what is folded up, so that it is looked at, too. */
export const UNFOLD = `for (const one of document.querySelectorAll('details')) one.open = true`;

interface Violation {
  rule: string;
  elements: string[];
}

/** Fails where the page, as it stands, breaks a rule of WCAG 2.2 A or AA that axe knows. */
export async function expectAccessible(page: Page, rules: readonly string[] = WCAG): Promise<void> {
  await page.evaluate(`window.axe ?? (() => {${axe.source}})()`);
  const options = JSON.stringify({ runOnly: rules, resultTypes: ['violations'] });
  const found = await page.evaluate<Violation[]>(
    `axe.run(document, ${options}).then(({ violations }) => violations.map(({ id, nodes }) => ({
      rule: id, elements: nodes.map(({ html, any }) => html.slice(0, 200) + ' ' + (any[0]?.message ?? '')) })))`,
  );
  expect(found).toEqual([]);
}

/** Fails where something of the page is wider than a small phone; leaves the page as wide as it was. */
export async function expectFitsPhone(page: Page): Promise<void> {
  await page.setViewportSize(PHONE);
  const tooWide = `document.documentElement.scrollWidth <= ${PHONE.width} ? [] : [...document.querySelectorAll('body *')]
      .filter((one) => one.getBoundingClientRect().right > ${PHONE.width} && one.checkVisibility())
      .map((one) => one.outerHTML.slice(0, 120))`;
  // A chart is drawn anew once it has noticed.
  await eventually(async () => expect(await page.evaluate<string[]>(tooWide)).toEqual([]));
  await page.setViewportSize(DESKTOP);
}

/** Fails where the page has done something wrong since the last look. */
export async function expectNoFaults(visit: Visit): Promise<void> {
  expect(await visit.takeFaults()).toEqual([]);
}
