import { expect } from '@jest/globals';
import { type Page } from 'playwright-core';

/** Numbers all that one can do something with, a group of radio buttons once; gives how each looks without focus. */
const NUMBER = `(() => {
  const usable = [...document.querySelectorAll('a[href],button,input,select,textarea,summary,[tabindex]')].filter((one) =>
    one.tabIndex >= 0 && !one.disabled && one.type !== 'hidden' && one.checkVisibility({ visibilityProperty: true }));
  const groups = new Set();
  const counted = usable.filter((one) => {
    if (one.type !== 'radio') return true;
    const siblings = usable.filter(({ type, name, form }) => type === 'radio' && name === one.name && form === one.form);
    return one === (siblings.find(({ checked }) => checked) ?? siblings[0]);
  });
  window.look = (one) => {
    const { outlineStyle, outlineWidth, boxShadow, borderColor, backgroundColor, textDecorationLine } = getComputedStyle(one);
    const outline = outlineStyle === 'none' ? 'none' : outlineWidth;
    return [outline, boxShadow, borderColor, backgroundColor, textDecorationLine].join(' ');
  };
  // Tab goes on from where the focus was last: to the top with it.
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute('tabindex');
  counted.forEach((one, at) => { one.dataset.stop = at; });
  return counted.map((one) => ({ html: one.outerHTML.slice(0, 120), look: look(one) }));
})()`;

/** The element that has the focus; null at the end of the page. */
const FOCUSED = `(() => {
  const one = document.activeElement;
  if (!one || one === document.body || one === document.documentElement) return null;
  const { top, bottom, left, right } = one.getBoundingClientRect();
  const isSeen = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  return { stop: one.dataset.stop ?? null, html: one.outerHTML.slice(0, 120), look: look(one), isSeen };
})()`;

/** So many presses more than there are elements are made at most. */
const PARTS = 20;

interface Stop {
  html: string;
  look: string;
}
type Focused = Stop & { stop: string | null; isSeen: boolean };

/** Fails unless Tab leads to all that one can do something with, in the order of the page, and shows where it is. */
export async function expectKeyboard(page: Page): Promise<void> {
  const stops = await page.evaluate<Stop[]>(NUMBER);
  const order: string[] = [];
  const unseen: string[] = [];
  for (let press = 0, last = ''; press < stops.length + PARTS; press += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<Focused | null>(FOCUSED);
    if (focused === null) break;
    const { stop, html, look, isSeen } = focused;
    // A field for a date has several parts, each of which shows by itself that it has the focus.
    if (stop !== null && stop === last) continue;
    last = stop ?? '';
    order.push(html);
    if (!isSeen || stop === null || look === stops[Number(stop)]?.look) unseen.push(html);
  }
  expect({ unseen, order }).toEqual({ unseen: [], order: stops.map(({ html }) => html) });
}
