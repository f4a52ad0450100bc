import { describe, expect, it } from '@jest/globals';
import { passwordFaults } from './password-rules.js';

describe('passwordFaults', () => {
  it.each<[string, string | null]>([
    ['four words of some length', null],
    ['Tr0ub4dor&3 and more', null],
    ['jo@example.com and more', null],
    ['aaaaaaaaaaaa', 'different characters'],
    ['abcabcabcabc', 'different characters'],
    ['            ', 'different characters'],
    ['password1234', 'too common'],
    ['PassWord1234', 'too common'],
    [' password1234 ', 'too common'],
    ['jo.of.acme@example.com', 'your own email'],
    ['JO.OF.ACME@example.com', 'your own email'],
    ['jo.of.acme', 'your own email'],
  ])('for %j reports %j', (password, reason) => {
    const faults = passwordFaults(password, 'jo.of.acme@example.com');
    expect(faults.map(({ pointer }) => pointer)).toEqual(reason === null ? [] : ['/password']);
    if (reason !== null) expect(faults[0]!.detail).toContain(reason);
  });
});
