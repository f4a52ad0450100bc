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
  ])('jsonPointer converts %j to %j', (path, pointer) => {
    expect(jsonPointer(path)).toBe(pointer);
  });

  it('nestsDeeperThan determines the depth of any JSON text, with or without whitespace', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 2), (value, space) => {
        const text = JSON.stringify(value, null, space);
        const depth = depthOf(value);
        expect(nestsDeeperThan(text, depth)).toBe(false);
        if (depth > 0) expect(nestsDeeperThan(text, depth - 1)).toBe(true);
      }),
    );
  });

  it('nestsDeeperThan never throws for a text that is not JSON', () => {
    fc.assert(fc.property(fc.string(), (text) => expect(typeof nestsDeeperThan(text, 32)).toBe('boolean')));
  });

  it('scanJson accepts ordinary values, including surrogate pairs', () => {
    expect(scanJson({ a: [1, -0, 'x😀', null, true, { toString: '' }], '😀': 1e308 })).toEqual([]);
  });
});
