import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { brokenText, VARIANTS } from './variants.js';

describe('a broken variant', () => {
  it.each(VARIANTS.map((variant) => [variant.name, variant] as const))('changes its module: %s', async (_, variant) => {
    const text = await readFile(new URL(`../../../src/${variant.file}`, import.meta.url), 'utf8');
    expect(brokenText(variant, text)).not.toBe(text);
  });

  it('has a name of its own, and a kind of finding', () => {
    expect(new Set(VARIANTS.map(({ name }) => name)).size).toBe(VARIANTS.length);
    expect(VARIANTS.filter(({ found }) => found.length === 0)).toEqual([]);
  });

  it('is refused if its module no longer contains what it changes', () => {
    const [variant] = VARIANTS;
    expect(() => brokenText(variant!, 'export {};')).toThrow('changes 0 times');
  });
});
