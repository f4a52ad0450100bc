import { describe, expect, it } from '@jest/globals';
import { badgeElements, drawnTexts } from '../../../../test/support/badges.js';
import { type Badge } from '../badge.js';
import { BADGE_TONES, LABEL_GROUND, renderBadge } from './badge.view.js';

const BADGE: Badge = { label: 'Checkout', value: 'down', told: 'Checkout: down', mark: 'down', tone: 'down' };
const labelled = (label: string) => renderBadge({ ...BADGE, label, told: `${label}: down` });
const widthOf = (svg: string) => Number(badgeElements(svg)[0]!.attributes.width);

describe('a badge', () => {
  it('contains label and value, visibly and for screen readers', () => {
    const svg = renderBadge(BADGE);
    const [root] = badgeElements(svg);
    expect(root).toMatchObject({
      name: 'svg',
      attributes: { xmlns: 'http://www.w3.org/2000/svg', role: 'img', 'aria-label': 'Checkout: down', height: '20' },
    });
    expect(drawnTexts(svg)).toEqual({ title: 'Checkout: down', label: 'Checkout', value: 'down' });
  });

  it('has a shape only if it shows a state', () => {
    const shaped = renderBadge(BADGE);
    const plain = renderBadge({ ...BADGE, mark: null });
    expect(badgeElements(shaped).length).toBe(badgeElements(plain).length + 2);
    expect(widthOf(shaped)).toBeGreaterThan(widthOf(plain));
  });

  it('has enough width for its texts side by side', () => {
    for (const label of ['i', 'WWWW', '世界', 'Zürich 👩‍👩‍👧', 'x'.repeat(200), '‮']) {
      const elements = badgeElements(labelled(label));
      const [left, right] = elements
        .filter(({ name }) => name === 'text')
        .map(({ attributes }) => ({
          from: Number(attributes.x),
          to: Number(attributes.x) + Number(attributes.textLength),
        }));
      const divide = Number(/^M3 0H(\d+)V20/.exec(elements.find(({ name }) => name === 'path')!.attributes.d!)![1]);
      expect([left!.from >= 6, left!.to + 6 <= divide, right!.from - 6 >= divide]).toEqual([true, true, true]);
      expect(right!.to + 6).toBe(Number(elements[0]!.attributes.width));
    }
  });

  it('truncates a long label between characters, but not in the tooltip', () => {
    const family = '👩‍👩‍👧';
    expect(drawnTexts(labelled('x'.repeat(60))).label).toBe('x'.repeat(60));
    const cut = drawnTexts(labelled(family.repeat(61)));
    expect(cut).toMatchObject({ title: `${family.repeat(61)}: down`, label: `${family.repeat(59)}…` });
    expect(widthOf(labelled('W'.repeat(200)))).toBeLessThan(800);
  });

  it.each([
    '<script>alert(1)</script>',
    '</text></svg><script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>',
    '" onload="alert(1)" x="',
    "' onload='alert(1)",
    'javascript:alert(1)',
    ']]><script>alert(1)</script>',
    '<![CDATA[x]]>',
    '<!--',
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaa">]>&a;',
    '&lt;b&gt; &amp; &nbsp; &#60; &xxe;',
    '</style><style>*{display:none}',
    'url(https://evil.example.com)',
    '{{7*7}} ${7*7} $& $1',
  ])('renders %s as text', (payload) => {
    // `badgeElements` rejects elements and attributes other than those of a badge.
    expect(drawnTexts(labelled(payload)).title).toBe(`${payload}: down`);
    expect(badgeElements(labelled(payload)).length).toBe(badgeElements(labelled('x')).length);
  });

  it('has white text with a contrast of at least 4.5:1', () => {
    const weak = [...Object.values(BADGE_TONES), LABEL_GROUND].filter((colour) => contrastToWhite(colour) < 4.5);
    expect(weak).toEqual([]);
  });
});

/** Returns the contrast to white by the relative luminance of WCAG 2.2. */
function contrastToWhite(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05);
}
