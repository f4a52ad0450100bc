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
