import { describe, expect, it, jest } from '@jest/globals';
import { onceFor, remembering } from './memo.js';

describe('remembering', () => {
  it('computes each text once, including those with false or empty results', () => {
    const compute = jest.fn((text: string) => text.length > 2);
    const known = remembering(compute);
    expect(['a', 'abc', 'a', 'abc', 'a'].map(known)).toEqual([false, true, false, true, false]);
    expect(compute).toHaveBeenCalledTimes(2);
  });

  it('caches no more results than the limit', () => {
    const compute = jest.fn((text: string) => text);
    const known = remembering(compute, 2);
    for (const text of ['a', 'b', 'c', 'c', 'a']) expect(known(text)).toBe(text);
    expect(compute.mock.calls.flat()).toEqual(['a', 'b', 'c', 'a']);
  });
});

describe('forget', () => {
  it('makes each text be computed again', () => {
    const compute = jest.fn((text: string) => text);
    const known = remembering(compute);
    known('a');
    known.forget();
    expect(known('a')).toBe('a');
    expect(compute).toHaveBeenCalledTimes(2);
  });
});

describe('onceFor', () => {
  it('computes once per object, regardless of its content', () => {
    const compute = jest.fn((value: { n: number }) => ({ twice: 2 * value.n }));
    const twice = onceFor(compute);
    const [one, other] = [{ n: 1 }, { n: 1 }];
    expect(twice(one)).toBe(twice(one));
    expect(twice(other)).not.toBe(twice(one));
    expect(compute).toHaveBeenCalledTimes(2);
  });
});
