/** Returns an email address in the form in which it is stored and looked up. */
export function emailOf(text: string): string {
  return text.normalize('NFC').trim().toLowerCase();
}
