import { describe, expect, it } from '@jest/globals';
import { badgeMarkdown } from './page-words.js';

describe('badgeMarkdown', () => {
  it.each([
    ['Checkout', 'Checkout'],
    ['a [b] \\c', 'a \\[b\\] \\\\c'],
    ['two\nlines', 'two lines'],
  ])('writes the label %j as %j', (label, written) => {
    expect(badgeMarkdown(label, 'https://a.test/b.svg', 'https://a.test/')).toBe(
      `[![${written}](https://a.test/b.svg)](https://a.test/)`,
    );
  });
});
