import { describe, expect, it } from '@jest/globals';
import { isEmptyMatch, matches } from './matches.js';
import { type PolicyMatch } from './policy.js';

const MONITOR = { id: 'm', type: 'http', tags: ['production', 'eu'] };

describe('matches', () => {
  it.each<[PolicyMatch, boolean]>([
    [{ all: true }, true],
    [{ monitorIds: ['m'] }, true],
    [{ monitorIds: ['other'] }, false],
    [{ tags: ['us', 'eu'] }, true],
    [{ tags: ['us'] }, false],
    [{ allTags: ['production', 'eu'] }, true],
    [{ allTags: ['production', 'us'] }, false],
    [{ types: ['http', 'tcp'] }, true],
    [{ types: ['tcp'] }, false],
    [{ tags: ['eu'], types: ['tcp'] }, false],
    [{ tags: ['eu'], allTags: ['production'], types: ['http'] }, true],
    [{ monitorIds: ['other'], tags: ['eu'] }, true],
    [{ monitorIds: ['m'], tags: ['us'] }, true],
    [{ monitorIds: ['m'], notTags: ['eu'] }, false],
    [{ tags: ['production'], notTags: ['eu'] }, false],
    [{ monitorIds: ['other'], notTags: ['us'] }, false],
    [{ notTags: ['us'] }, true],
    [{ notTags: ['eu'] }, false],
  ])('%j selects the monitor: %s', (match, expected) => {
    expect(matches(match, MONITOR)).toBe(expected);
  });

  it.each<[PolicyMatch, boolean]>([
    [{}, true],
    [{ tags: [], types: [] }, true],
    [{ all: true }, false],
    [{ notTags: ['eu'] }, false],
  ])('%j is empty: %s', (match, expected) => {
    expect(isEmptyMatch(match)).toBe(expected);
  });
});
