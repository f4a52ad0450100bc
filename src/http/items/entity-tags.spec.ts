import { describe, expect, it } from '@jest/globals';
import { namesRevision, namesTag } from './entity-tags.js';

describe('If-Match', () => {
  it.each([
    ['"3.17"', 3, true],
    ['"3.99"', 3, true],
    ['"2.17"', 3, false],
    ['"2.17", "3.1"', 3, true],
    ['"2.17" ,"3.1"', 3, true],
    ['W/"3.17"', 3, false],
    ['W/"3.17", "3.17"', 3, true],
    ['*', 3, true],
    [' * ', 3, true],
    ['*', null, false],
    ['"3.17"', null, false],
    ['"3"', 3, false],
    ['"3.x"', 3, false],
    ['3.17', 3, false],
    ['"3.17" "4.1"', 3, false],
    ['', 3, false],
    ['"30.17"', 3, false],
  ])('%s matches revision %s: %s', (header, revision, expected) => {
    expect(namesRevision(header, revision)).toBe(expected);
  });
});

describe('If-None-Match', () => {
  it.each([
    ['"3.17"', true],
    ['W/"3.17"', true],
    ['"3.18"', false],
    ['"1.1", "3.17"', true],
    ['*', true],
    ['3.17', false],
    ['', false],
  ])('%s matches "3.17": %s', (header, expected) => {
    expect(namesTag(header, '"3.17"')).toBe(expected);
  });
});
