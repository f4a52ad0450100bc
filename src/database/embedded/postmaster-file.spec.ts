import { describe, expect, it } from '@jest/globals';
import { parsePostmasterFile } from './postmaster-file.js';

const ready = '4711\n/srv/data\n1764000000\n5432\n/srv/run\n\n  1234567         0\nready   \n';

describe('parsePostmasterFile', () => {
  it.each([
    { name: 'a ready server', text: ready, server: { pid: 4711, socketDir: '/srv/run', ready: true } },
    {
      name: 'a starting server',
      text: ready.replace('ready   ', 'starting'),
      server: { pid: 4711, socketDir: '/srv/run', ready: false },
    },
    {
      name: 'a file with only the first lines',
      text: '4711\n/srv/data\n',
      server: { pid: 4711, socketDir: null, ready: false },
    },
    { name: 'a single-user backend', text: ready.replace('4711', '-4711'), server: null },
    { name: 'an empty file', text: '', server: null },
    { name: 'process 0', text: '0\n', server: null },
    { name: 'rubbish', text: '12x\n', server: null },
  ])('parses $name', ({ text, server }) => {
    expect(parsePostmasterFile(text)).toEqual(server);
  });
});
