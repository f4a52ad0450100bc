import { describe, expect, it } from '@jest/globals';
import { parseHost } from './host-literal.js';

describe('parseHost', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.1.', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['127.0.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['0x7f000001', '127.0.0.1'],
    ['0X7F.1', '127.0.0.1'],
    ['0x7f.0x0.0x0.0x1', '127.0.0.1'],
    ['0177.0.0.1', '127.0.0.1'],
    ['017700000001', '127.0.0.1'],
    ['0177.0.0x0.1', '127.0.0.1'],
    ['127.000.000.001', '127.0.0.1'],
    ['127.65535', '127.0.255.255'],
    ['0', '0.0.0.0'],
    ['0.0', '0.0.0.0'],
    ['0x', '0.0.0.0'],
    ['127。0。0。1', '127.0.0.1'],
    ['127.0.0.1', '127.0.0.1'],
    ['①②⑦.⓪.⓪.①', '127.0.0.1'],
    ['2852039166', '169.254.169.254'],
    ['0xa9fea9fe', '169.254.169.254'],
    ['0251.0376.0251.0376', '169.254.169.254'],
    ['[::1]', '::1'],
    ['::1', '::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['[::]', '::'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['::ffff:7f00:1', '127.0.0.1'],
    ['[0:0:0:0:0:ffff:7f00:0001]', '127.0.0.1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]', 'fe80::1'],
    ['2001:DB8::A', '2001:db8::a'],
  ])('parses %s as the address %s', (text, address) => {
    expect(parseHost(text)).toEqual({ kind: 'address', address });
  });

  it.each([
    ['example.com', 'example.com'],
    ['EXAMPLE.com.', 'example.com'],
    ['localhost', 'localhost'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['exaMple.com', 'example.com'],
    ['_sip._tcp.example.com', '_sip._tcp.example.com'],
    ['a-b.c--d.example', 'a-b.c--d.example'],
    ['1.2.3.4.example', '1.2.3.4.example'],
  ])('parses %s as the name %s', (text, name) => {
    expect(parseHost(text)).toEqual({ kind: 'name', name });
  });

  it.each([
    '',
    '.',
    ' ',
    '-h',
    '-oProxyCommand=x',
    'a b',
    'a\nb',
    'a\0b',
    'a;id',
    '$(id)',
    '`id`',
    'a|b',
    'a&b',
    "a'b",
    'a"b',
    'a>b',
    'a*b',
    'a..b',
    'a-.b',
    'http://a',
    'a/b',
    'a\\b',
    'a?b',
    'a#b',
    'user@a',
    'a:80',
    '%31%32%37.0.0.1',
    '256.0.0.1',
    '1.2.3.4.5',
    '4294967296',
    '[::1',
    '[127.0.0.1]',
    '1::2::3',
    '::ffff:999.0.0.1',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(127)}a`,
    'a'.repeat(5_000),
  ])('rejects %j', (text) => {
    expect(parseHost(text)).toEqual({ kind: 'invalid' });
  });

  it('parses the ten-thousandth name like the first', () => {
    for (let i = 0; i < 10_000; i += 1) expect(parseHost('bücher.example').kind).toBe('name');
  });
});
