import { expect, it } from '@jest/globals';
import { ageText, writeAges } from '../../src/web/age.js';

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

it('keeps times since and relative times up to date, but not those to come', () => {
  const at = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();
  const since = { dataset: { since: at(-130) }, textContent: '0 seconds' };
  const past = { dateTime: at(-3_700), textContent: '5 minutes ago' };
  const future = { dateTime: at(3_700), textContent: 'in 1 hour' };
  const root = { querySelectorAll: (selector: string) => (selector === '[data-since]' ? [since] : [past, future]) };
  writeAges(root as unknown as ParentNode);
  expect([since, past, future].map(({ textContent }) => textContent)).toEqual(['2 minutes', '1 hour ago', 'in 1 hour']);
});
