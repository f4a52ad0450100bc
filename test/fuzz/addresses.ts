import { type TeamName } from './marks.js';
import { type Item, type World } from './world.js';

/** The address of an item: its id in lower case, or its natural key. */
export type Address = { id: string } | { key: string };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Parses an address from a path or a body. Returns `null` if the text is not an address. */
export function addressOf(text: string): Address | null {
  if (UUID.test(text)) return { id: text.toLowerCase() };
  return /^key:./s.test(text) ? { key: text.slice('key:'.length) } : null;
}

/**
 * Returns the item of a team at an address, as known to request `number`. `unsteady`: a concurrent request may have
 * written it, so its state is not known.
 */
export function itemAt(
  world: World,
  number: number,
  team: TeamName,
  kind: string,
  address: Address | null,
): Item | null | 'unsteady' {
  if (!address) return null;
  if ('id' in address) {
    const item = world.items.get(address.id);
    if (!item || item.team !== team || item.kind !== kind) return null;
    return world.isSteady(number, item) ? item : 'unsteady';
  }
  if (!world.isKindSteady(number, kind, team)) return 'unsteady';
  const named = [...world.of(kind, team), ...world.of(kind, team, 'unsure')].filter(
    ({ body }) => body.key === address.key,
  );
  return named.length > 1 || named.some((item) => item.muddled) ? 'unsteady' : (named[0] ?? null);
}
