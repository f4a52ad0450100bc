import { expect } from '@jest/globals';
import { type Page } from 'playwright-core';

/** Numbers all interactive elements, radio groups as one. Returns the appearance of each without focus. */
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
  // Tab continues from the last focus position, which is moved to the top.
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute('tabindex');
  counted.forEach((one, at) => { one.dataset.stop = at; });
  return counted.map((one) => ({ html: one.outerHTML.slice(0, 120), look: look(one) }));
})()`;

/** Returns the focused element; null at the end of the page. */
const FOCUSED = `(() => {
  const one = document.activeElement;
  if (!one || one === document.body || one === document.documentElement) return null;
  const { top, bottom, left, right } = one.getBoundingClientRect();
  const isSeen = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  return { stop: one.dataset.stop ?? null, html: one.outerHTML.slice(0, 120), look: look(one), isSeen };
})()`;

/** Maximum number of key presses in addition to one per element. */
const PARTS = 20;

interface Stop {
  html: string;
  look: string;
}
type Focused = Stop & { stop: string | null; isSeen: boolean };

/** Fails unless Tab reaches all interactive elements in document order, with a visible focus on each. */
export async function expectKeyboard(page: Page): Promise<void> {
  const stops = await page.evaluate<Stop[]>(NUMBER);
  const order: string[] = [];
  const unseen: string[] = [];
  for (let press = 0, last = ''; press < stops.length + PARTS; press += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<Focused | null>(FOCUSED);
    if (focused === null) break;
    const { stop, html, look, isSeen } = focused;
    // A date field has several parts, each of which shows its own focus.
    if (stop !== null && stop === last) continue;
    last = stop ?? '';
    order.push(html);
    if (!isSeen || stop === null || look === stops[Number(stop)]?.look) unseen.push(html);
  }
  expect({ unseen, order }).toEqual({ unseen: [], order: stops.map(({ html }) => html) });
}
