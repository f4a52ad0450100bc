import { describe, expect, it } from '@jest/globals';
import { questionName } from './question-name.js';

describe('questionName', () => {
  it.each<[string, string, string | null]>([
    ['example.com', 'A', 'example.com'],
    ['EXAMPLE.com.', 'MX', 'example.com'],
    ['com', 'NS', 'com'],
    ['_sip._tcp.example.com', 'SRV', '_sip._tcp.example.com'],
    ['_dmarc.example.com', 'TXT', '_dmarc.example.com'],
    ['bücher.example', 'A', 'xn--bcher-kva.example'],
    ['53.2.0.192.in-addr.arpa', 'PTR', '53.2.0.192.in-addr.arpa'],
    ['192.0.2.53', 'PTR', '53.2.0.192.in-addr.arpa'],
    ['2001:db8::53', 'PTR', `3.5.${'0.'.repeat(22)}8.b.d.0.1.0.0.2.ip6.arpa`],
    ['192.0.2.53', 'A', null],
    ['2001:db8::53', 'AAAA', null],
    ['0x7f.1', 'PTR', null],
    ['2130706433', 'PTR', null],
    ['[2001:db8::53]', 'PTR', null],
    ['fe80::1%eth0', 'PTR', null],
    ['', 'A', null],
    ['.', 'NS', null],
    ['a b', 'A', null],
    ['-a.example', 'A', null],
    ['a..example', 'A', null],
    ['$(id).example', 'A', null],
    ['*.example.com', 'A', null],
    [`${'a'.repeat(64)}.example`, 'A', null],
  ])('for %s and the type %s, returns %s', (host, type, name) => expect(questionName(host, type)).toBe(name));
});
