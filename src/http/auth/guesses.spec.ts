import { describe, expect, it } from '@jest/globals';
import { Guesses } from './guesses.js';

const LIMITS = { failures: 2, windowMs: 60_000, addresses: 10, waiting: 2 };

describe('Guesses', () => {
  it('counts wrong guesses only', async () => {
    const guesses = new Guesses('codes', LIMITS);
    const guess = (right: boolean) => guesses.guess('192.0.2.1', () => right);
    for (let n = 0; n < 5; n += 1) expect(await guess(true)).toBe(true);
    await expect(guesses.guess('192.0.2.1', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect([await guess(false), await guess(false)]).toEqual([false, false]);
    await expect(guess(true)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await guesses.guess('192.0.2.2', () => true)).toBe(true);
  });

  it('runs slow work one at a time, rejects work beyond the limit, and continues after a failure', async () => {
    const guesses = new Guesses('codes', LIMITS);
    const events: string[] = [];
    const work =
      (name: string, fails = false) =>
      async () => {
        events.push(`${name} begins`);
        await Promise.resolve();
        events.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      };
    const first = guesses.inTurn(work('a', true));
    const second = guesses.inTurn(work('b'));
    expect(() => guesses.inTurn(work('c'))).toThrow('Too many codes are being verified at once.');
    await expect(first).rejects.toThrow('a');
    expect(await second).toBe('b');
    expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
    expect(await guesses.inTurn(work('d'))).toBe('d');
  });
});
