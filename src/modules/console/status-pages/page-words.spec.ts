import { describe, expect, it } from '@jest/globals';
import { badgeHtml, badgeMarkdown, componentsWords, visibilityOf } from './page-words.js';

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

describe('badgeHtml', () => {
  it.each([
    ['Checkout', 'Checkout'],
    ['"><script>&', '&quot;&gt;&lt;script&gt;&amp;'],
    ['two\nlines', 'two lines'],
  ])('writes the label %j as %j', (label, written) => {
    expect(badgeHtml(label, 'https://a.test/b.svg', 'https://a.test/')).toBe(
      `<a href="https://a.test/"><img src="https://a.test/b.svg" alt="${written}"></a>`,
    );
  });
});

describe('componentsWords', () => {
  it.each([
    [[], '0 components'],
    [[null], '1 component'],
    [[null, 'Shop'], '2 components in 1 group'],
    [['Shop', 'Shop', 'Mail'], '3 components in 2 groups'],
  ])('counts components with the groups %j as %s', (groups, words) => {
    const components = groups.map((group) => ({
      id: '',
      monitorId: '',
      name: '',
      description: null,
      group,
      showUptime: true,
    }));
    expect(componentsWords({ components })).toBe(words);
  });
});

describe('visibilityOf', () => {
  it.each([
    [false, 'public', 'Draft'],
    [false, 'password', 'Draft'],
    [true, 'public', 'Public'],
    [true, 'password', 'Password-protected'],
  ] as const)('of a page with published %s and access %s is %s', (published, accessType, word) => {
    expect(visibilityOf({ published, accessType }).word).toBe(word);
  });
});
