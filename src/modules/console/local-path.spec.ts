import { describe, expect, it } from '@jest/globals';
import { localPath } from './local-path.js';

describe('localPath', () => {
  it.each<[string, string]>([
    ['/', '/'],
    ['/settings/team?x=1&y=%2F', '/settings/team?x=1&y=%2F'],
    ['/a#b', '/a'],
    ['/a/../b', '/b'],
    ['', '/'],
    ['a', '/'],
    ['https://evil.test/', '/'],
    ['//evil.test', '/'],
    ['///evil.test', '/'],
    ['/\\evil.test', '/'],
    ['\\\\evil.test', '/'],
    ['/\t/evil.test', '/'],
    ['/\n/evil.test', '/'],
    [' //evil.test', '/'],
    ['/..//evil.test', '/'],
    ['/.//evil.test', '/'],
    ['javascript:alert(1)', '/'],
    ['/\r\nSet-Cookie: a=b', '/Set-Cookie:%20a=b'],
  ])('returns for %j: %j', (wanted, path) => {
    expect(localPath(wanted)).toBe(path);
  });
});
