import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ASSETS_VERSION, assetOf, FONT } from './assets.js';
import { DARK_GROUNDS, LIGHT_GROUNDS, LIGHT_LINK } from './palette.js';

describe('assets of pages', () => {
  it('are found under the current version only', () => {
    expect(assetOf(ASSETS_VERSION, 'console.css')).toMatchObject({ type: 'css' });
    expect(assetOf(ASSETS_VERSION, 'up.svg')?.body).toMatch(/^<svg /);
    expect(String(assetOf(ASSETS_VERSION, 'icons.svg')?.body)).toContain('<symbol id="pause"');
    expect(assetOf(ASSETS_VERSION, FONT)).toMatchObject({ type: 'woff2' });
    expect(assetOf(ASSETS_VERSION, 'uPlot.iife.min.js')).toMatchObject({ type: 'js' });
    expect(assetOf('000000000000', 'console.css')).toBeUndefined();
    for (const name of ['tsconfig.json', '../main.js', 'constructor', ''])
      expect(assetOf(ASSETS_VERSION, name)).toBeUndefined();
  });

  it('only import existing assets', () => {
    const { body } = assetOf(ASSETS_VERSION, 'live.js')!;
    const imports = [...String(body).matchAll(/from '\.\/([^']+)'/g)].map(([, name]) => name!);
    expect(imports.length).toBeGreaterThan(0);
    for (const name of imports) expect(assetOf(ASSETS_VERSION, name)).toBeDefined();
  });

  it('contain the colours against which others are checked', () => {
    const tokens = readFileSync('src/web/tokens.css', 'utf8');
    const [ground, card] = [0, 1].map((at) => `light-dark(${LIGHT_GROUNDS[at]}, ${DARK_GROUNDS[at]})`);
    expect(tokens).toContain(`--ground: ${ground};`);
    expect(tokens).toContain(`--card: ${card};`);
    expect(tokens).toContain(`--link: light-dark(${LIGHT_LINK}, `);
  });
});
