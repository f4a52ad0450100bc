import { describe, expect, it } from '@jest/globals';
import { TooManyWaiting, Turns } from './turns.js';

/** Work that ends when `end` is called. */
function work(): { run: () => Promise<void>; end: () => void; began: () => boolean } {
  let end = (): void => undefined;
  let began = false;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const run = (): Promise<void> => {
    began = true;
    return ended;
  };
  return { run, end, began: () => began };
}

describe('Turns', () => {
  it('runs work one at a time, in order', async () => {
    const turns = new Turns({ ofOwner: 3, ofAll: 3 });
    const [first, second] = [work(), work()];
    const outcomes = [turns.take('a', first.run), turns.take('b', second.run)];
    await new Promise(setImmediate);
    expect([first.began(), second.began()]).toEqual([true, false]);
    first.end();
    await outcomes[0];
    await new Promise(setImmediate);
    expect(second.began()).toBe(true);
    second.end();
    await outcomes[1];
  });

  it('rejects work beyond the limit of an owner, and accepts that of others', async () => {
    const turns = new Turns({ ofOwner: 2, ofAll: 10 });
    const { run, end } = work();
    const outcomes = [turns.take('a', run), turns.take('a', run)];
    expect(() => turns.take('a', run)).toThrow(TooManyWaiting);
    outcomes.push(turns.take('b', run));
    end();
    await Promise.all(outcomes);
    await turns.take('a', run);
  });

  it('rejects work beyond the limit of all owners', async () => {
    const turns = new Turns({ ofOwner: 2, ofAll: 3 });
    const { run, end } = work();
    const outcomes = ['a', 'b', 'c'].map((owner) => turns.take(owner, run));
    expect(() => turns.take('d', run)).toThrow(TooManyWaiting);
    end();
    await Promise.all(outcomes);
    await turns.take('d', run);
  });

  it('frees the place of work that fails', async () => {
    const turns = new Turns({ ofOwner: 1, ofAll: 1 });
    await expect(turns.take('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await turns.take('a', () => Promise.resolve('done'))).toBe('done');
  });
});
