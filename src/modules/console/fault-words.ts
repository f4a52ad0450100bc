import { exactDuration } from '../../html/time-text.js';

/**
 * Validation messages of the API, without the name of the member, and their wording in forms. The first match applies.
 */
const WORDS: readonly [RegExp, string][] = [
  [/^must be longer than or equal to 1 characters?$/, 'must not be empty'],
  [/^must be longer than or equal to (\d+) characters?$/, 'must have at least $1 characters'],
  [/^must be shorter than or equal to (\d+) characters?$/, 'must have at most $1 characters'],
  [
    /^must be longer than or equal to (\d+) and shorter than or equal to (\d+) characters$/,
    'must have $1 to $2 characters',
  ],
  [/^must not be less than (.+)$/, 'must be $1 or more'],
  [/^must not be greater than (.+)$/, 'must be $1 or less'],
  [/^must be a valid ISO 8601 date string$/, 'must be a valid date'],
  [/^must be an integer number$/, 'must be a whole number'],
  [/^must be a number conforming to the specified constraints$/, 'must be a number'],
  [/^must be one of the following values: (.+)$/, 'must be one of $1'],
  [/^must contain at least 1 elements$/, 'must not be empty'],
  [/^must be an object of strings$/, 'must have one entry per line, such as Accept: application/json'],
  [
    /^must not contain a username or password: use auth$/,
    'must not contain credentials: add them under Authentication',
  ],
  [/^must be later than startsAt$/, 'must be later than the start'],
  [/^must contain no more than (\d+) elements$/, 'must have at most $1 entries'],
  [/^must be null if headers contains Authorization$/, 'must be None if the headers contain Authorization'],
  [/^requires (username|password)$/, 'requires a $1'],
  [/^requires from$/, 'requires a sender'],
  [/^Set both startsAt and endsAt, or neither$/, 'Enter both a start and an end, or neither'],
  [/^Only a window with startsAt and endsAt can recur$/, 'Only a window with a start and an end can repeat'],
  [/^A page with accessType "password" requires a password$/, 'A password-protected page requires a password'],
  [
    /^There is no stored secret to keep\. Send the secret itself$/,
    'There is no stored secret to keep. Enter the secret itself',
  ],
  [/^(.+) Send the secret again$/, '$1 Enter the secret again'],
  [
    /^This header is not secret\. Send its value, or add its name to secretHeaders to keep the stored value$/,
    'This header is not secret. Enter its value, or add its name to “Secret headers” to keep the stored value',
  ],
  [
    /^(All monitors in this list have been deleted\.) List others, or omit monitorIds .+$/,
    '$1 Choose others, or select all monitors',
  ],
  [
    /^(The incident is resolved .+) To reopen it, set resolvedAt to null first$/,
    '$1 To post an update with another status, reopen the incident',
  ],
  [/^An incident with resolvedAt accepts only .+$/, 'An incident with an end must have the status Resolved or Note'],
];

/**
 * Returns a validation message in the wording of forms. Messages without a match are returned unchanged. `unitMs` makes
 * the limit of a number a duration in this unit.
 */
export function faultWords(detail: string, unitMs?: number): string {
  const full = detail.endsWith('.');
  const said = full ? detail.slice(0, -1) : detail;
  const found = WORDS.find(([pattern]) => pattern.test(said));
  if (!found) return detail;
  const words = said.replace(...found);
  const limited = unitMs === undefined ? words : words.replace(/\d+/, (count) => exactDuration(Number(count) * unitMs));
  return `${limited}${full ? '.' : ''}`;
}
