import { describe, expect, it } from '@jest/globals';
import { ProblemException } from '../../../http/problems/problem.js';
import { apiPath, isFiltered, listPath, monitorQuery, PAGE_SIZE, positionOf } from './list-query.js';

describe('the address of the list', () => {
  it.each<[Record<string, unknown>, object]>([
    [{}, {}],
    [{ q: '', type: '', tag: '', sort: '', status: '' }, {}],
    [
      { q: ' shop ', sort: 'name' },
      { q: 'shop', sort: 'name' },
    ],
    [{ tag: 'a, b c,' }, { tag: ['a', 'b c'] }],
    [{ tag: 'a\\,b,c\\d\\\\,e' }, { tag: ['a,b', 'c\\d\\', 'e'] }],
    [
      { tag: ['a', 'b'], status: 'down' },
      { tag: ['a', 'b'], status: ['down'] },
    ],
    [{ notified: '' }, {}],
    [{ notified: 'false' }, { notified: false }],
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
    [{ notified: 'yes' }],
  ])('is refused with %j', (sent) => {
    expect(() => monitorQuery(sent)).toThrow(ProblemException);
  });

  it.each<[Record<string, unknown>, string, boolean]>([
    [{}, '/monitors', false],
    [{ sort: 'name' }, '/monitors?sort=name', false],
    [{ notified: 'false', sort: 'name' }, '/monitors?notified=false&sort=name', true],
    [{ status: ['down', 'up'], q: 'a&b' }, '/monitors?status=down&status=up&q=a%26b', true],
  ])('is for %j: %s', (sent, path, filtered) => {
    const query = monitorQuery(sent);
    expect(listPath(query)).toBe(path);
    expect(isFiltered(query)).toBe(filtered);
    expect(listPath(query, 'c', 26)).toBe(`${path}${path === '/monitors' ? '?' : '&'}cursor=c&from=26`);
  });
});

it.each([[['a']], [['a,b']], [['a', 'b\\']], [['\\', ',', 'c\\,d']]])(
  'the address of the list keeps the tags %j, and the API gets them as they are',
  (tag) => {
    const query = Object.assign(monitorQuery({}), { tag });
    const sent = new URL(listPath(query), 'http://localhost').searchParams.getAll('tag');
    expect(monitorQuery({ tag: sent }).tag).toEqual(tag);
    expect(new URL(apiPath(query), 'http://localhost').searchParams.getAll('tag')).toEqual(tag);
  },
);

describe('the position of a page', () => {
  it.each<[number, Record<string, unknown>, number, number]>([
    [1, {}, 25, 208],
    [26, { cursor: 'c', from: '26' }, 25, 208],
    [184, { cursor: 'c', from: '184' }, 25, 208],
    // Only pages after the first one have a cursor.
    [1, { from: '26' }, 25, 208],
    [1, { cursor: 'c' }, 25, 208],
    [1, { cursor: 'c', from: ['26', '27'] }, 25, 208],
    ...['0', '-5', '1.5', '1e2', ' 26', 'x', '', '<b>', '9999999999'].map(
      (from): [number, Record<string, unknown>, number, number] => [1, { cursor: 'c', from }, 25, 208],
    ),
    // Monitors may have been deleted since the previous page.
    [184, { cursor: 'c', from: '201' }, 25, 208],
    [1, { cursor: 'c', from: '26' }, 5, 3],
  ])('is %i for %j with %i of %i monitors', (position, sent, shown, total) => {
    expect(positionOf(sent, shown, total)).toBe(position);
  });
});
