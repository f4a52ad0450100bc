import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { type Page } from 'playwright-core';
import { startApp } from '../support/app.js';
import { checkNow } from '../support/monitors.js';
import { startTarget, type Target } from '../support/target.js';
import { describeInBrowser } from './support/describe-in-browser.js';
import { expectFitsPhone, expectNoFaults, OPEN_MENUS, UNFOLD } from './support/expectations.js';
import {
  answerHostilely,
  BIDI_OVERRIDE,
  FOUND,
  hostileContent,
  PAYLOADS,
  writtenTexts,
} from './support/hostile-content.js';
import { PAGE_ROWS } from './support/page-rows.js';
import { Stage } from './support/stage.js';
import { type World } from './support/world.js';

/** Finds elements that a text could have injected, and that the application's pages contain only in charts. */
const INTRUDERS = `[...document.querySelectorAll('*')].filter((one) =>
  one.matches('img:not([src$="/logo.svg"],[src^="/badges/"]),iframe:not([name^="preview"]),style,[style]:not(.uplot,.uplot *),script:not([src]),object,embed,base,svg svg,svg[onload]') ||
  [...one.attributes].some(({ name, value }) => name.startsWith('on') || /^\\s*javascript:/i.test(value) && name !== 'value' && name !== 'aria-label' && name !== 'title' && name !== 'placeholder')
).map((one) => one.outerHTML.slice(0, 200))`;

/** Finds texts that reverse the direction of adjacent text, because no element isolates them. */
const TURNED = `(() => {
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (!text.data.includes('${BIDI_OVERRIDE}')) continue;
    let one = text.parentElement;
    const holds = (style) => style.display !== 'inline' || /isolate|plaintext/.test(style.unicodeBidi);
    while (one.parentElement && !holds(getComputedStyle(one))) one = one.parentElement;
    const rest = one.textContent.slice(one.textContent.indexOf(text.data) + text.data.length);
    if (rest.trim() !== '' && one.checkVisibility()) found.push(one.outerHTML.slice(0, 300));
  }
  return found;
})()`;

const SHOWN = `document.title + ' ' + document.body.textContent + ' ' +
  [...document.querySelectorAll('input,textarea')].map(({ value }) => value).join(' ')`;

/** The rows of pages with content. */
const FILLED = PAGE_ROWS.filter(({ who }) => who !== 'newcomer' && who !== 'first');

describeInBrowser('texts entered by users', () => {
  let stage: Stage;
  let target: Target;
  const shown: string[] = [];
  beforeAll(async () => {
    target = await startTarget();
    answerHostilely(target);
    stage = await Stage.open(startApp, hostileContent(target));
    const { app, monitors } = stage.world;
    const { id, failedAssertions } = await checkNow(app.api(app.teams.ours.write), monitors.m0!);
    expect(failedAssertions).toHaveLength(PAYLOADS.length);
    stage.world.checkId = id;
  }, 120_000);
  afterEach(() => stage.clear());
  afterAll(async () => {
    await target.close();
    await stage.close();
  });

  const inert = async (page: Page): Promise<void> => {
    await page.evaluate(UNFOLD);
    await page.evaluate(OPEN_MENUS);
    expect(await page.evaluate(INTRUDERS)).toEqual([]);
    expect(await page.evaluate(TURNED)).toEqual([]);
    expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
    shown.push(await page.evaluate<string>(SHOWN));
  };

  it.each(FILLED.map((row) => [row.name, row] as const))('are plain text on %s', async (_, row) => {
    const visit = await stage.visit(row);
    await inert(visit.page);
    await expectFitsPhone(visit.page);
    await expectNoFaults(visit);
  });

  it.each(PAYLOADS.map((payload, at) => [payload, `m${at + 1}`]))(
    'are plain text as the name of a monitor: %s',
    async (_, key) => {
      const path = ({ monitors }: World): string => `/monitors/${monitors[key]}`;
      const { page } = await stage.visit({ name: key, route: '/monitors/:id', who: 'editor', path });
      await inert(page);
    },
  );

  it('are shown unchanged', () => {
    const texts = [...writtenTexts(stage.world.content), ...FOUND];
    expect(texts.filter((one) => !shown.some((text) => text.includes(one)))).toEqual([]);
  });
});
