import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type JsonValue } from './json.js';
import { mergePatch } from './merge-patch.js';

const json = fc.jsonValue({ maxDepth: 4 }).map((value) => value as JsonValue);
const object = fc.dictionary(fc.string(), json);

describe('mergePatch', () => {
  it.each<[JsonValue, JsonValue, JsonValue]>([
    // RFC 7396, appendix A
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('patches %j with %j to %j', (target, patch, expected) => {
    expect(mergePatch(target, patch)).toEqual(expected);
  });

  it('returns the target for an empty patch', () => {
    fc.assert(fc.property(object, (target) => expect(mergePatch(target, {})).toEqual(target)));
  });

  it('is idempotent and changes neither argument', () => {
    fc.assert(
      fc.property(object, object, (target, patch) => {
        const before = JSON.stringify([target, patch]);
        const once = mergePatch(target, patch);
        expect(mergePatch(once, patch)).toEqual(once);
        expect(JSON.stringify([target, patch])).toBe(before);
      }),
    );
  });

  it('treats __proto__ as an ordinary name', () => {
    const merged = mergePatch({}, JSON.parse('{"__proto__":{"admin":true},"a":{"__proto__":1}}') as JsonValue);
    expect(JSON.stringify(merged)).toBe('{"__proto__":{"admin":true},"a":{"__proto__":1}}');
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });
});
