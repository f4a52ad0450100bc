import { describe, expect, it } from '@jest/globals';
import { DerFault, DerReader, generalizedTime, OBJECT_ID, objectId, SEQUENCE } from './der.js';

const reader = (hex: string): DerReader => new DerReader(Buffer.from(hex, 'hex'));

describe('DerReader', () => {
  it('reads elements of each length', () => {
    for (const [head, size] of [
      ['04', 4],
      ['817f', 127],
      ['820100', 256],
      ['83010000', 65_536],
    ] as const) {
      const { tag, content, bytes } = reader(`30${head}${'00'.repeat(size)}ff`).next();
      expect([tag, content.length, bytes.length]).toEqual([SEQUENCE, size, 1 + head.length / 2 + size]);
    }
  });

  it.each(['', '30', '3005', '300500', '3080', '308400000000', '3082'])('refuses "%s"', (hex) => {
    expect(() => reader(hex).next()).toThrow(DerFault);
  });

  it('skips an optional element only if it is there', () => {
    const elements = reader('a003020101020102');
    expect(elements.optional(0xa1)).toBeNull();
    expect(elements.optional(0xa0)!.content.length).toBe(3);
    expect(() => elements.expect(SEQUENCE)).toThrow(DerFault);
    expect(elements.isAtEnd).toBe(true);
  });
});

describe('objectId', () => {
  it.each([
    ['06082a8648ce3d040302', '1.2.840.10045.4.3.2'],
    ['06032b6570', '1.3.101.112'],
    ['0603551d25', '2.5.29.37'],
    ['0603883703', '2.999.3'],
  ])('of %s is %s', (hex, id) => expect(objectId(reader(hex).expect(OBJECT_ID))).toBe(id));
});

describe('generalizedTime', () => {
  const of = (text: string) => generalizedTime({ tag: 0x18, content: Buffer.from(text), bytes: Buffer.alloc(0) });
  it('is in epoch milliseconds', () => expect(of('20261128213000Z')).toBe(Date.UTC(2026, 10, 28, 21, 30)));
  it.each(['', '20261128213000', '20261128213000.5Z', '2026-11-28'])('refuses "%s"', (text) => {
    expect(() => of(text)).toThrow(DerFault);
  });
});
