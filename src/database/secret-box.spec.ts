import { describe, expect, it } from '@jest/globals';
import { SecretBox, UnsealError } from './secret-box.js';

const box = new SecretBox('k'.repeat(32));

describe('SecretBox', () => {
  it.each(['', 'secret', 'ünïcode ✓', 'x'.repeat(100_000)])('opens what it sealed', (text) => {
    const sealed = box.seal(text);
    expect(box.open(sealed)).toBe(text);
    expect(box.seal(text)).not.toBe(sealed);
  });

  it('rejects a value sealed with another key, a modified value and a plain one', () => {
    const sealed = box.seal('secret');
    const changed = sealed.slice(0, -4) + (sealed.endsWith('AAAA') ? 'BBBB' : 'AAAA');
    expect(() => new SecretBox('j'.repeat(32)).open(sealed)).toThrow(UnsealError);
    expect(() => box.open(changed)).toThrow(UnsealError);
    expect(() => box.open('secret')).toThrow(UnsealError);
  });

  it('derives a key for each purpose and a fingerprint of the secret key', () => {
    expect(box.keyFor('a')).not.toEqual(box.keyFor('b'));
    expect(box.fingerprint).not.toBe(new SecretBox('j'.repeat(32)).fingerprint);
    expect(box.fingerprint).toBe(new SecretBox('k'.repeat(32)).fingerprint);
  });
});
