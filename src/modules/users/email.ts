/** An address as it is stored and looked for. */
export function emailOf(text: string): string {
  return text.normalize('NFC').trim().toLowerCase();
}
