import { describe, expect, it } from '@jest/globals';
import { ProblemException } from '../../../http/problems/problem.js';
import { isFiltered, listPath, monitorQuery, PAGE_SIZE } from './list-query.js';

describe('the address of the list', () => {
  it.each<[Record<string, unknown>, object]>([
    [{}, {}],
    [{ q: '', type: '', tag: '', sort: '', status: '' }, {}],
    [
      { q: ' shop ', sort: 'name' },
      { q: 'shop', sort: 'name' },
    ],
    [{ tag: 'a, b c,' }, { tag: ['a', 'b c'] }],
    [
      { tag: ['a', 'b'], status: 'down' },
      { tag: ['a', 'b'], status: ['down'] },
    ],
    [{ limit: '200', view: 'definition', key: 'x', done: 'deleted' }, {}],
    [{ cursor: 'abc' }, { cursor: 'abc' }],
  ])('is read from %j', (sent, query) => {
    expect({ ...monitorQuery(sent) }).toEqual({ limit: PAGE_SIZE, ...query });
  });

  it.each<[Record<string, unknown>]>([
    [{ status: 'none' }],
    [{ type: 'gopher' }],
    [{ sort: 'size' }],
    [{ q: ['a', 'b'] }],
  ])('is refused with %j', (sent) => {
    expect(() => monitorQuery(sent)).toThrow(ProblemException);
  });

  it.each<[Record<string, unknown>, string, boolean]>([
    [{}, '/', false],
    [{ sort: 'name' }, '/?sort=name', false],
    [{ status: ['down', 'up'], q: 'a&b' }, '/?status=down&status=up&q=a%26b', true],
  ])('is for %j: %s', (sent, path, filtered) => {
    const query = monitorQuery(sent);
    expect(listPath(query)).toBe(path);
    expect(isFiltered(query)).toBe(filtered);
    expect(listPath(query, 'c')).toBe(`${path}${path === '/' ? '?' : '&'}cursor=c`);
  });
});
