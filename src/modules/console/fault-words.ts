/** What the API says of one value, without its name, and what people say. The first that fits counts. */
const WORDS: readonly [RegExp, string][] = [
  [/^must be longer than or equal to 1 characters?$/, 'must not be empty'],
  [/^must be longer than or equal to (\d+) characters?$/, 'needs $1 characters or more'],
  [/^must be shorter than or equal to (\d+) characters?$/, 'may have $1 characters at most'],
  [
    /^must be longer than or equal to (\d+) and shorter than or equal to (\d+) characters$/,
    'needs $1 to $2 characters',
  ],
  [/^must not be less than (.+)$/, 'must be $1 or more'],
  [/^must not be greater than (.+)$/, 'must be $1 or less'],
  [/^must be a valid ISO 8601 date string$/, 'is missing, or no date that there is'],
  [/^must be an integer number$/, 'must be a whole number'],
  [/^must be a number conforming to the specified constraints$/, 'must be a number'],
  [/^must be one of the following values: (.+)$/, 'must be one of $1'],
  [/^must contain at least 1 elements$/, 'must not be empty'],
  [/^must contain no more than (\d+) elements$/, 'may have $1 entries at most'],
];

/** What is wrong with a field, as whoever fills in a form reads it. Texts that are nobody's rule here stay as they are. */
export function faultWords(detail: string): string {
  const full = detail.endsWith('.');
  const said = full ? detail.slice(0, -1) : detail;
  const found = WORDS.find(([pattern]) => pattern.test(said));
  if (!found) return detail;
  return `${said.replace(...found)}${full ? '.' : ''}`;
}
