import { describe, expect, it } from '@jest/globals';
import { chooseHome, socketDirOf } from './cluster.js';

describe('chooseHome', () => {
  it.each([
    { inside: false, outside: false, reachable: true, home: 'inside' },
    { inside: false, outside: false, reachable: false, home: 'outside' },
    { inside: true, outside: false, reachable: true, home: 'inside' },
    { inside: true, outside: false, reachable: false, home: 'unreachable' },
    { inside: false, outside: true, reachable: true, home: 'outside' },
    { inside: false, outside: true, reachable: false, home: 'outside' },
    { inside: true, outside: true, reachable: true, home: 'inside' },
    { inside: true, outside: true, reachable: false, home: 'unreachable' },
  ])('returns $home for inside: $inside, outside: $outside, reachable: $reachable', ({ home, ...known }) => {
    expect(chooseHome(known)).toBe(home);
  });
});

describe('socketDirOf', () => {
  // 103 bytes minus `/run/.s.PGSQL.5432`.
  const longest = `/${'d'.repeat(84)}`;

  it.each([
    { home: '/srv/daywatch/postgres', folder: '/srv/daywatch/postgres/run' },
    { home: longest, folder: `${longest}/run` },
    { home: `${longest}d`, folder: expect.stringMatching(/^\/tmp\/daywatch-[0-9a-f]{16}$/) },
    { home: `/${'ü'.repeat(43)}`, folder: expect.stringMatching(/^\/tmp\/daywatch-[0-9a-f]{16}$/) },
  ])('returns a path that is short enough for $home', ({ home, folder }) => {
    expect(socketDirOf(home)).toEqual(folder);
    expect(socketDirOf(home)).toBe(socketDirOf(home));
  });

  it('differs between homes', () => {
    expect(socketDirOf(`${longest}aa`)).not.toBe(socketDirOf(`${longest}ab`));
  });
});
