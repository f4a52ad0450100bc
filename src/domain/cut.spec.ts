import { describe, expect, it } from '@jest/globals';
import { cut } from './cut.js';

describe('cut', () => {
  it.each([
    ['abc', 5, 'abc'],
    ['abc', 2, 'ab'],
    ['a🙂b', 3, 'a🙂'],
    ['a🙂b', 2, 'a'],
  ])('%j to %d is %j', (text, length, beginning) => expect(cut(text, length)).toBe(beginning));
});
