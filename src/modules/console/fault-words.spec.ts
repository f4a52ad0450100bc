import { describe, expect, it } from '@jest/globals';
import { faultWords } from './fault-words.js';

describe('faultWords', () => {
  it.each([
    ['must be longer than or equal to 1 characters', 'must not be empty'],
    ['must be longer than or equal to 12 characters', 'must have at least 12 characters'],
    ['must be shorter than or equal to 80 characters', 'must have at most 80 characters'],
    ['must be a valid ISO 8601 date string', 'must be a valid date'],
    ['must not be less than 1', 'must be 1 or more'],
    ['must not be greater than 365.', 'must be 365 or less.'],
    ['must be an integer number', 'must be a whole number'],
    ['must be in the future', 'must be in the future'],
    ['must consist of a-z', 'must consist of a-z'],
    ['must be null if headers contains Authorization', 'must be None if the headers contain Authorization'],
    ['requires username', 'requires a username'],
    ['requires from', 'requires a sender'],
    ['Set both startsAt and endsAt, or neither.', 'Enter both a start and an end, or neither.'],
    ['Only a window with startsAt and endsAt can recur.', 'Only a window with a start and an end can repeat.'],
    ['A page with accessType "password" requires a password.', 'A password-protected page requires a password.'],
    [
      'There is no stored secret to keep. Send the secret itself.',
      'There is no stored secret to keep. Enter the secret itself.',
    ],
    ['The receiver has changed. Send the secret again.', 'The receiver has changed. Enter the secret again.'],
    [
      'This header is not secret. Send its value, or add its name to secretHeaders to keep the stored value.',
      'This header is not secret. Enter its value, or add its name to “Secret headers” to keep the stored value.',
    ],
    [
      'All monitors in this list have been deleted. List others, or omit monitorIds to select all monitors that notTags does not exclude.',
      'All monitors in this list have been deleted. Choose others, or select all monitors.',
    ],
    [
      'The incident is resolved and accepts only a note. To reopen it, set resolvedAt to null first.',
      'The incident is resolved and accepts only a note. To post an update with another status, reopen the incident.',
    ],
    [
      'An incident with resolvedAt accepts only "resolved", a postmortem or a note.',
      'An incident with an end must have the status Resolved or Note.',
    ],
  ])('presents "%s" as "%s"', (detail, words) => {
    expect(faultWords(detail)).toBe(words);
  });

  it.each([
    ['must not be greater than 60000', 1, 'must be 1 minute or less'],
    ['must not be less than 100.', 1, 'must be 0.1 seconds or more.'],
    ['must not be greater than 86400', 1_000, 'must be 1 day or less'],
    ['must be an integer number', 1_000, 'must be a whole number'],
  ])('presents "%s" about a duration in units of %d ms as "%s"', (detail, unitMs, words) => {
    expect(faultWords(detail, unitMs)).toBe(words);
  });
});
