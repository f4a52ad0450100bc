/** Returns a typed whole number as a number. Other texts are returned unchanged, so that the service refuses them. */
export function wholeOr(text: string): number | string {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

/** Returns a typed text without surrounding whitespace; null if nothing is left. */
export function textOrNull(typed: string): string | null {
  return typed.trim() || null;
}

/** Returns the parts of a comma-separated text, trimmed and without blank ones. */
export function partsOf(typed: string): string[] {
  return typed
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/**
 * Returns the entries of a comma-separated text. If it lists the stored ones, returns those, because an entry may contain
 * a comma.
 */
export function listedOr(stored: readonly string[] | undefined, typed: string): string[] {
  return stored?.join(', ') === typed ? [...stored] : partsOf(typed);
}

/**
 * Returns the chosen values in the order in which they are stored, then the others, so that saving an unchanged form
 * changes nothing.
 */
export function inOrderOf<T>(stored: readonly T[] | undefined, chosen: readonly T[]): T[] {
  const before = stored ?? [];
  return [...before.filter((one) => chosen.includes(one)), ...chosen.filter((one) => !before.includes(one))];
}
