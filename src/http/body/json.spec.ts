import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonPointer, nestsDeeperThan, scanJson } from './json.js';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('json', () => {
  it.each<[(string | number)[], string]>([
    [[], ''],
    [['assertions', 0, 'target'], '/assertions/0/target'],
    [['headers', 'a/b~c'], '/headers/a~1b~0c'],
    [[''], '/'],
    [['~1'], '/~01'],
  ])('the pointer of %j is %j', (path, pointer) => {
    expect(jsonPointer(path)).toBe(pointer);
  });

  it('knows the depth of any JSON text, spaced or not', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 2), (value, space) => {
        const text = JSON.stringify(value, null, space);
        const depth = depthOf(value);
        expect(nestsDeeperThan(text, depth)).toBe(false);
        if (depth > 0) expect(nestsDeeperThan(text, depth - 1)).toBe(true);
      }),
    );
  });

  it('never throws for what is no JSON', () => {
    fc.assert(fc.property(fc.string(), (text) => expect(typeof nestsDeeperThan(text, 32)).toBe('boolean')));
  });

  it('finds nothing wrong with ordinary values, surrogate pairs included', () => {
    expect(scanJson({ a: [1, -0, 'x😀', null, true, { toString: '' }], '😀': 1e308 })).toEqual([]);
  });
});
