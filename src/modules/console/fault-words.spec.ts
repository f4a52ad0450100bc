import { describe, expect, it } from '@jest/globals';
import { faultWords } from './fault-words.js';

describe('faultWords', () => {
  it.each([
    ['must be longer than or equal to 1 characters', 'must not be empty'],
    ['must be longer than or equal to 12 characters', 'needs 12 characters or more'],
    ['must be shorter than or equal to 80 characters', 'may have 80 characters at most'],
    ['must be a valid ISO 8601 date string', 'is missing, or no date that there is'],
    ['must not be less than 1', 'must be 1 or more'],
    ['must not be greater than 365.', 'must be 365 or less.'],
    ['must be an integer number', 'must be a whole number'],
    ['must be in the future', 'must be in the future'],
    ['wants a-z', 'wants a-z'],
  ])('%s: %s', (detail, words) => {
    expect(faultWords(detail)).toBe(words);
  });
});
