import { expect, it } from '@jest/globals';
import { ageText, setClock, writeAges } from '../../src/web/age.js';

it.each([
  [-1, '0 seconds'],
  [999, '0 seconds'],
  [1_000, '1 second'],
  [59_999, '59 seconds'],
  [60_000, '1 minute'],
  [3_599_999, '59 minutes'],
  [3_600_000, '1 hour'],
  [86_399_999, '23 hours'],
  [86_400_000, '1 day'],
  [172_800_000, '2 days'],
])('formats an age of %d ms as %s', (ms, text) => expect(ageText(ms)).toBe(text));

it('computes ages by the clock of the service, however wrong that of the reader is', () => {
  const since = { dataset: { since: new Date(Date.now() + 300_000).toISOString() }, textContent: '' };
  const root = { querySelectorAll: (selector: string) => (selector === '[data-since]' ? [since] : []) };
  const shown = [600_500, -600_500, NaN].map((aheadMs) => {
    setClock(Date.now() + aheadMs);
    writeAges(root as unknown as ParentNode);
    return since.textContent;
  });
  setClock(Date.now());
  expect(shown).toEqual(['5 minutes', '0 seconds', '0 seconds']);
});

it('keeps times since and relative times up to date, but not those to come', () => {
  const at = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();
  const since = { dataset: { since: at(-130) }, textContent: '0 seconds' };
  const past = { dateTime: at(-3_700), textContent: '5 minutes ago' };
  const future = { dateTime: at(3_700), textContent: 'in 1 hour' };
  const root = { querySelectorAll: (selector: string) => (selector === '[data-since]' ? [since] : [past, future]) };
  writeAges(root as unknown as ParentNode);
  expect([since, past, future].map(({ textContent }) => textContent)).toEqual(['2 minutes', '1 hour ago', 'in 1 hour']);
});
