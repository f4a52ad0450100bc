import { describe, expect, it } from '@jest/globals';
import { answerTo, rdata } from '../../../test/support/name-server.js';
import { ProbeFault } from '../net/probe-fault.js';
import { dnsQuery, readReply } from './dns-message.js';

const NAME = 'x.example';
const query = dnsQuery({ name: NAME, type: 'MX' });
const response = answerTo(
  { 'x.example/MX': [rdata.mx(10, 'a.example'), rdata.mx(20, 'b.example')] },
  query.message,
  false,
)!;

describe('readReply', () => {
  it('reads the records', () => {
    const records = ['10 a.example', '20 b.example'];
    const reply = { records, isAuthenticated: false, isTruncated: false };
    expect(readReply(response, query)).toEqual(reply);
  });

  it('ignores responses to other queries', () => {
    expect(readReply(response, { ...query, id: query.id ^ 1 })).toBeNull();
    expect(readReply(response, { ...query, name: 'y.example' })).toBeNull();
    expect(readReply(response, { ...query, type: 'TXT' })).toBeNull();
    expect(readReply(query.message, query)).toBeNull();
  });

  it('survives every damaged response', () => {
    for (let at = 0; at < response.length; at += 1) {
      for (const byte of [0x00, 0x01, 0x3f, 0xc0, 0xff]) {
        const damaged = Buffer.from(response);
        damaged[at] = byte;
        for (const message of [damaged, damaged.subarray(0, at)]) {
          try {
            readReply(message, query);
          } catch (error) {
            expect(error).toBeInstanceOf(ProbeFault);
          }
        }
      }
    }
  });
});
