/** Returns words as a list in a sentence: `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[], conjunction = 'and'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)!}`;
}
