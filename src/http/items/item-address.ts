const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const KEY = 'key:';

/** How a path identifies an item: by its id, or by the key that the caller chose. */
export type ItemAddress = { id: string } | { key: string };

/** Parses the value of `:id` in a path: a UUID, or `key:<key>`; `null` for anything else, which matches no item. */
export function itemAddress(text: string): ItemAddress | null {
  if (UUID.test(text)) return { id: text.toLowerCase() };
  return text.startsWith(KEY) && text.length > KEY.length ? { key: text.slice(KEY.length) } : null;
}
