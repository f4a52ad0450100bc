import { type ApiDocument } from './document.js';
import { isDecidedByChecks } from './incidents.js';
import { kindOfReference } from './purpose.js';
import { atOnce, type Item, type Json, type World } from './world.js';

/** What changes by itself, or is computed: not part of what callers write. */
const MOVING: ReadonlySet<string> = new Set([
  ...['status', 'verifying', 'statusSince', 'lastCheckAt', 'nextCheckAt', 'lastError', 'lastUsedAt', 'secret'],
  ...['pausedAt', 'pausedUntil', 'pauseReason', 'resumedAt', 'components', 'active', 'nextStartsAt'],
  ...['previousPrefix', 'previousExpiresAt'],
]);
/** What is excluded is past: it goes on naming monitors that have been deleted. */
const KEEPS_DELETED = /\/exclusions$/;
/** Items in lists show so many of the newest: more cannot be compared. */
const SHOWN_IN_LISTS: Readonly<Record<string, number>> = { updates: 10 };

/** Whether a body is a representation of the same kind as the one known: an action may answer something else. */
export function isAlike(known: Json, found: Json): boolean {
  return Object.keys(known).every((name) => name in found || MOVING.has(name));
}

/**
 * The members in which an item is not as it was answered, but for what moves by itself. What is deleted is taken out of
 * lists that name it: `atRest`, while nothing is under way, they must not name it any more.
 */
export function differences(
  { world, document }: { world: World; document: ApiDocument },
  { kind, body: known }: Item,
  found: Json,
  atRest = false,
): string[] {
  const comparable = (name: string, value: unknown, certain: boolean): string => {
    if (!Array.isArray(value)) return JSON.stringify(value);
    const list = SHOWN_IN_LISTS[name] ? value.slice(-SHOWN_IN_LISTS[name]) : value;
    if (kindOfReference(document, name) === null || KEEPS_DELETED.test(kind)) return JSON.stringify(list);
    const stays = (id: unknown): boolean => {
      const life = lifeOf(world, String(id));
      return life === 'live' || (certain && life === 'gone');
    };
    return JSON.stringify(list.filter(stays));
  };
  return [...new Set([...Object.keys(known), ...Object.keys(found)])].filter(
    (name) =>
      !MOVING.has(name) &&
      !isDecidedByChecks(kind, known, name) &&
      comparable(name, known[name], false) !== comparable(name, found[name], atRest),
  );
}

/** What is not known was forgotten, or is yet to be found. */
function lifeOf(world: World, id: string): string {
  const item = world.items.get(id);
  return item ? world.lifeOf(item, atOnce()) : 'unsure';
}
