import { describe, expect, it } from '@jest/globals';
import { FormFields } from '../../../http/body/form-fields.js';
import { ProblemException } from '../../../http/problems/problem.js';
import { bulkBody, filterWords, returnPath, shownQuery } from './bulk-form.js';

const form = (text: string): FormFields => new FormFields(new URLSearchParams(text));

describe('bulkBody', () => {
  it.each<[string, object]>([
    [
      'action=pause&durationSeconds=1800&id=a&id=b',
      { action: 'pause', select: { ids: ['a', 'b'] }, durationSeconds: 1_800, reason: null },
    ],
    [
      'action=pause&durationSeconds=&id=a',
      { action: 'pause', select: { ids: ['a'] }, durationSeconds: null, reason: null },
    ],
    ['action=check', { action: 'check', select: { ids: [] } }],
    ['action=addTags&tags= x, y z ,&id=a', { action: 'addTags', select: { ids: ['a'] }, tags: ['x', 'y z'] }],
    [
      'action=removeTags&tags=eu\\,west, x&id=a',
      { action: 'removeTags', select: { ids: ['a'] }, tags: ['eu,west', 'x'] },
    ],
    ['action=resume&tags=x&durationSeconds=1800&id=a', { action: 'resume', select: { ids: ['a'] } }],
    ['action=resume&all=on&id=a&query=', { action: 'resume', select: { all: true } }],
    ['action=resume&all=on&query=sort%3Dname', { action: 'resume', select: { all: true } }],
    [
      'action=delete&all=on&query=q%3Dshop%26status%3Ddown%26status%3Dup',
      { action: 'delete', select: { filter: { q: 'shop', status: ['down', 'up'] } } },
    ],
    [
      'action=check&all=on&query=tag%3Dx%26type%3Ddns',
      { action: 'check', select: { filter: { tag: ['x'], type: 'dns' } } },
    ],
    ['action=check&all=on&query=notified%3Dfalse', { action: 'check', select: { filter: { notified: false } } }],
  ])('of %s is %j', (text, body) => {
    expect(JSON.parse(JSON.stringify(bulkBody(form(text))))).toEqual(body);
  });

  it('is refused with a filter that the list refuses, rather than selecting more', () => {
    expect(() => bulkBody(form('action=delete&all=on&query=status%3Dnone'))).toThrow(ProblemException);
  });
});

describe('filterWords', () => {
  it.each<[string, string[]]>([
    ['sort=name', []],
    ['status=down&status=pending', ['State: Down, Not checked yet']],
    ['q=shop&type=http&notified=false', ['Search: shop', 'Type: HTTP', 'Notified: Notifies nobody']],
    ['tag=a&tag=b&notified=true', ['Tag: a + b', 'Notified: Notifies someone']],
  ])('of %s are %j', (query, words) => {
    const text = new URLSearchParams({ query }).toString();
    expect(filterWords(shownQuery(form(text))).map((one) => one.join(': '))).toEqual(words);
  });
});

describe('returnPath', () => {
  it.each([
    ['', undefined, '/monitors'],
    ['query=tag%3Dx', 'one', '/monitors?tag=x&operation=one'],
    ['', 'one', '/monitors?operation=one'],
  ])('with %j after %s is %s', (text, id, path) => {
    expect(returnPath(form(text), id)).toBe(path);
  });
});
