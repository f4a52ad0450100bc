import { expect, it } from '@jest/globals';
import { accentAsset, accentFile, accentStyle } from './accent-style.js';

it('sets the colour for the band, and a legible shade for links in each theme', () => {
  expect(accentStyle('#0c8599')).toBe(`:root { --link: light-dark(#0b7d90, #1d8ea0) }
body { border-top: 8px solid #0c8599 }
`);
});

it('is found by its file name, which depends on the colour', () => {
  const [name, query] = accentFile('#0c8599').split('?');
  expect(accentAsset(name!)).toEqual({ type: 'css', body: accentStyle('#0c8599') });
  expect(query).toMatch(/^v=[0-9a-f]{12}$/);
  expect(accentFile('#0c8598')).not.toBe(accentFile('#0c8599'));
});

it.each([
  'page.css',
  'accent-.css',
  'accent-0C8599.css',
  'accent-0c859.css',
  'accent-0c8599.css\n',
  'xaccent-0c8599.css',
])('is not found by the name %j', (name) => expect(accentAsset(name)).toBeUndefined());
