import { describe, expect, it } from '@jest/globals';
import { unprivilegedAccount } from './server-account.js';

const root = 'root:x:0:0:root:/root:/bin/bash';
const nobody = 'nobody:x:65534:65533:nobody:/nonexistent:/usr/sbin/nologin';
const postgres = 'postgres:x:101:104::/var/lib/postgresql:/bin/bash';

describe('unprivilegedAccount', () => {
  it.each([
    { name: 'both postgres and nobody', lines: [root, nobody, postgres], account: { uid: 101, gid: 104 } },
    { name: 'only nobody', lines: [root, nobody], account: { uid: 65534, gid: 65533 } },
    {
      name: 'a postgres that is root',
      lines: ['postgres:x:0:0::/:/bin/sh', nobody],
      account: { uid: 65534, gid: 65533 },
    },
    { name: 'a malformed line', lines: ['postgres:x', nobody], account: { uid: 65534, gid: 65533 } },
    { name: 'an empty uid', lines: ['postgres:x::104::/:/bin/sh', nobody], account: { uid: 65534, gid: 65533 } },
    { name: 'no suitable user', lines: [root], account: undefined },
    { name: 'no file', lines: [''], account: undefined },
  ])('selects the right account given $name', ({ lines, account }) => {
    expect(unprivilegedAccount(lines.join('\n'))).toEqual(account);
  });
});
