import { describe, expect, it } from '@jest/globals';
import { Copies } from './copies.js';

const FRESH_MS = 5_000;
const USABLE_MS = 30_000;

interface Made {
  text: string;
  bytes: number;
}

/** Creates `Copies` with a clock that the test sets, and functions that request and complete copies. */
function scene(maxBytes = 1_000) {
  let nowMs = 0;
  const copies = new Copies<Made>({ freshMs: FRESH_MS, usableMs: USABLE_MS, maxBytes, now: () => nowMs });
  const begun: { end: (bytes?: number) => void; fail: () => void }[] = [];
  const ask = (key: string, version = '1'): Promise<string> =>
    copies
      .get(key, { version, askedAtMs: nowMs }, () => {
        const text = `${key}${begun.length}`;
        return new Promise<Made>((resolve, reject) =>
          begun.push({ end: (bytes = 1) => resolve({ text, bytes }), fail: () => reject(new Error('failed')) }),
        );
      })
      .then((made) => made.text);
  const fill = async (key: string, version?: string, bytes?: number): Promise<string> => {
    const asked = ask(key, version);
    begun.at(-1)!.end(bytes);
    return asked;
  };
  const last = (key: string): string | null => copies.last(key)?.text ?? null;
  return { copies, begun, ask, fill, last, pass: (ms: number) => (nowMs += ms) };
}

describe('a copy', () => {
  it.each([
    [0, 1],
    [FRESH_MS - 1, 1],
    [FRESH_MS, 2],
    [USABLE_MS - 1, 2],
  ])('of %d ms is returned immediately, after which %d have been created in total', async (ageMs, made) => {
    const { begun, fill, ask, pass } = scene();
    await fill('a');
    pass(ageMs);
    expect(await ask('a')).toBe('a0');
    expect(await ask('a')).toBe('a0');
    expect(begun).toHaveLength(made);
  });

  it('that is too old is replaced once, while all callers wait for the new one', async () => {
    const { begun, fill, ask, pass } = scene();
    await fill('a');
    pass(USABLE_MS);
    const asked = [ask('a'), ask('a'), ask('a')];
    begun[1]!.end();
    expect(await Promise.all(asked)).toEqual(['a1', 'a1', 'a1']);
    expect(begun).toHaveLength(2);
  });

  it('is replaced in the background while callers still receive it', async () => {
    const { begun, fill, ask, pass } = scene();
    await fill('a');
    pass(FRESH_MS);
    expect(await ask('a')).toBe('a0');
    begun[1]!.end();
    await Promise.resolve();
    expect(await ask('a')).toBe('a1');
    expect(begun).toHaveLength(2);
  });

  it('is retained if its replacement fails, and the next request tries again', async () => {
    const { begun, fill, ask, pass, last } = scene();
    await fill('a');
    pass(FRESH_MS);
    await ask('a');
    begun[1]!.fail();
    await new Promise(setImmediate);
    expect(await ask('a')).toBe('a0');
    expect(begun).toHaveLength(3);
    pass(USABLE_MS);
    const waiting = ask('a');
    begun[2]!.fail();
    await expect(waiting).rejects.toThrow('failed');
    expect(last('a')).toBe('a0');
  });

  it('is returned only for its own key', async () => {
    const { fill, ask, last } = scene();
    await fill('a');
    await fill('b');
    expect([await ask('a'), await ask('b'), last('c')]).toEqual(['a0', 'b1', null]);
  });
});

describe('a write', () => {
  it('is visible to later requests, even while a copy of an earlier version is being created', async () => {
    const { begun, fill, ask, pass } = scene();
    await fill('a', '1');
    pass(1);
    const second = ask('a', '2');
    pass(1);
    const third = ask('a', '3');
    begun[1]!.end();
    expect(await second).toBe('a1');
    await new Promise(setImmediate);
    begun[2]!.end();
    expect(await third).toBe('a2');
  });

  it('is also visible through a copy whose version was queried later', async () => {
    const { copies, fill, pass } = scene();
    pass(10);
    await fill('a', '2');
    const { text } = await copies.get('a', { version: '1', askedAtMs: 9 }, () =>
      Promise.reject(new Error('not needed')),
    );
    expect(text).toBe('a0');
  });
});

describe('the memory limit', () => {
  it('evicts the least recently requested copy first', async () => {
    const { fill, ask, last } = scene(1_000);
    await fill('a', '1', 400);
    await fill('b', '1', 400);
    await ask('a');
    await fill('c', '1', 400);
    expect([last('b'), last('a'), last('c')]).toEqual([null, 'a0', 'c2']);
  });

  it('retains the latest copy regardless of its size', async () => {
    const { fill, last } = scene(1_000);
    await fill('a', '1', 10);
    await fill('b', '1', 5_000);
    expect([last('a'), last('b')]).toEqual([null, 'b1']);
  });

  it('does not retain a forgotten copy, even one that is being created', async () => {
    const { copies, begun, fill, ask, last } = scene();
    await fill('a');
    copies.forget('a');
    expect(last('a')).toBeNull();
    const asked = ask('a');
    copies.forget('a');
    begun[1]!.end();
    expect(await asked).toBe('a1');
    expect(last('a')).toBeNull();
  });
});
