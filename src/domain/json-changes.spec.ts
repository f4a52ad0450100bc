import { describe, expect, it } from '@jest/globals';
import { jsonChanges, maskedChanges } from './json-changes.js';

describe('the changes between two versions', () => {
  it.each<[string, unknown, unknown, unknown[]]>([
    ['equal ones', { a: 1, b: [1, { c: 2 }] }, { b: [1, { c: 2 }], a: 1 }, []],
    ['a changed member', { a: 1, b: 2 }, { a: 1, b: 3 }, [{ pointer: '/b', before: 2, after: 3 }]],
    ['an added member', {}, { a: 'x' }, [{ pointer: '/a', before: null, after: 'x' }]],
    ['a removed member', { a: 'x' }, {}, [{ pointer: '/a', before: 'x', after: null }]],
    ['an absent member and null', { a: null }, {}, []],
    ['a nested member', { a: { b: { c: 1 } } }, { a: { b: { c: 2 } } }, [{ pointer: '/a/b/c', before: 1, after: 2 }]],
    ['an object that becomes null', { a: { b: 1 } }, { a: null }, [{ pointer: '/a', before: { b: 1 }, after: null }]],
    ['an array as a whole', { a: [1, 2] }, { a: [2] }, [{ pointer: '/a', before: [1, 2], after: [2] }]],
    [
      'an array of other objects',
      { a: [{ b: 1 }] },
      { a: [{ b: 2 }] },
      [{ pointer: '/a', before: [{ b: 1 }], after: [{ b: 2 }] }],
    ],
    ['names with special characters', { 'a/b~c': 1 }, { 'a/b~c': 2 }, [{ pointer: '/a~1b~0c', before: 1, after: 2 }]],
    [
      'a member named like one of every object',
      {},
      { toString: 'x' },
      [{ pointer: '/toString', before: null, after: 'x' }],
    ],
    ['a created resource', null, { a: 1 }, [{ pointer: '', before: null, after: { a: 1 } }]],
  ])('are right for %s', (_, before, after, changes) => {
    expect(jsonChanges(before, after)).toEqual(changes);
  });
});

it('shows the values of the masked versions', () => {
  const changes = jsonChanges({ 'a/b': { key: 'one', x: 1 }, c: null }, { 'a/b': { key: 'two', x: 1 }, c: ['three'] });
  const masked = maskedChanges(
    changes,
    { 'a/b': { key: '***', x: 1 }, c: null },
    { 'a/b': { key: '***', x: 1 }, c: ['*'] },
  );
  expect(masked).toEqual([
    { pointer: '/a~1b/key', before: '***', after: '***' },
    { pointer: '/c', before: null, after: ['*'] },
  ]);
});
