import { describe, expect, it } from '@jest/globals';
import { contentLine, textValue, timeValue } from './content-line.js';

describe('contentLine', () => {
  it.each([
    ['a short line', 'x'],
    ['a line of exactly 75 octets', 'x'.repeat(73)],
    ['a line of 76 octets', 'x'.repeat(74)],
    ['a long line', 'x'.repeat(1_000)],
    ['characters of several octets', 'äß€😀'.repeat(60)],
  ])('folds %s between characters, losing none', (_, value) => {
    const line = contentLine('X', value);
    const parts = line.split('\r\n');
    expect(parts.pop()).toBe('');
    for (const part of parts) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(75);
    expect(line.replaceAll('\r\n ', '')).toBe(`X:${value}\r\n`);
    expect(parts.length).toBe(Buffer.byteLength(`X:${value}`) <= 75 ? 1 : parts.length);
  });

  it('does not fold a line of 75 octets, and folds one of 76', () => {
    expect(contentLine('X', 'x'.repeat(73))).toBe(`X:${'x'.repeat(73)}\r\n`);
    expect(contentLine('X', 'x'.repeat(74))).toBe(`X:${'x'.repeat(73)}\r\n x\r\n`);
  });
});

it.each([
  ['a, b; c\\d', 'a\\, b\\; c\\\\d'],
  ['one\ntwo\r\nthree\rfour', 'one\\ntwo\\nthree\\nfour'],
  ['END:VEVENT', 'END:VEVENT'],
  ['a\u0000b\u0008c\u007fd\ud800e\tf', 'abcde\tf'],
])('textValue of %j is %j', (text, value) => {
  expect(textValue(text)).toBe(value);
});

it('timeValue is in UTC, truncated to the second', () => {
  expect(timeValue('2026-01-03T02:00:59.999Z')).toBe('20260103T020059Z');
});
