/** Returns a count with its noun: `1 failure`, `2 failures`, `2 successes`. */
export function counted(count: string | number, noun: string): string {
  const isOne = String(count) === '1';
  return `${count} ${noun}${isOne ? '' : noun.endsWith('s') ? 'es' : 's'}`;
}
