/** A whole number as it was typed; what is none comes back as it is, for the service to refuse. */
export function wholeOr(text: string): number | string {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

/** A text that was typed, without blanks around it; null where nothing is left. */
export function textOrNull(typed: string): string | null {
  return typed.trim() || null;
}

/** What was typed between commas; nothing where that is blank. */
export function partsOf(typed: string): string[] {
  return typed
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
