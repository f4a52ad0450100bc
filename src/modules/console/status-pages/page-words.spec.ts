import { describe, expect, it } from '@jest/globals';
import { badgeMarkdown } from './page-words.js';

describe('badgeMarkdown', () => {
  it.each([
    ['Checkout', 'Checkout'],
    ['a [b] \\c', 'a \\[b\\] \\\\c'],
    ['two\nlines', 'two lines'],
  ])('%j is written as %j', (label, written) => {
    expect(badgeMarkdown(label, 'https://a.test/b.svg', 'https://a.test/')).toBe(
      `[![${written}](https://a.test/b.svg)](https://a.test/)`,
    );
  });
});
