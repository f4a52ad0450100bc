import { type ApiDocument } from './document.js';
import { isDecidedByChecks } from './incidents.js';
import { MASK } from '../../src/domain/mask.js';
import { kindOfReference } from './purpose.js';
import { atOnce, type Item, type Json, type World } from './world.js';

/** Members that change by themselves or are computed, and thus are not written by callers. */
const MOVING: ReadonlySet<string> = new Set([
  'status',
  'verifying',
  'confirming',
  'statusSince',
  'lastCheckAt',
  'notified',
  'nextCheckAt',
  'lastError',
  'certificate',
  'lastUsedAt',
  'secret',
  'pausedAt',
  'pausedUntil',
  'pauseReason',
  'resumedAt',
  'components',
  'active',
  'activeUntil',
  'nextStartsAt',
  'previousPrefix',
  'previousExpiresAt',
  'health',
  'reason',
  'attempts',
  'nextAttemptAt',
  'sentAt',
  'collectedInto',
]);
/** Exclusions and notifications concern the past, and continue to name deleted monitors. */
const KEEPS_DELETED = /\/(exclusions|notifications)$/;
/** A generated secret, which only the response that generated it shows. */
export const SHOWN_ONCE = /whsec_[^"]+/g;
/** Items in lists show only this many of the newest entries: more cannot be compared. */
const SHOWN_IN_LISTS: Readonly<Record<string, number>> = { updates: 10 };

/** Returns whether a body represents the same kind of resource as the known one. Actions may return something else. */
export function isAlike(known: Json, found: Json): boolean {
  return Object.keys(known).every((name) => name in found || MOVING.has(name));
}

/**
 * Returns the members in which an item differs from the last response, except for those that change by themselves.
 * Deleted items are ignored in lists of references. `atRest`: no request is pending, so that the lists must not name
 * deleted items any more.
 */
export function differences(
  { world, document }: { world: World; document: ApiDocument },
  { kind, body: known }: Item,
  found: Json,
  atRest = false,
): string[] {
  const comparable = (name: string, value: unknown, certain: boolean): string => {
    if (!Array.isArray(value)) return JSON.stringify(value)?.replace(SHOWN_ONCE, MASK);
    const list = SHOWN_IN_LISTS[name] ? value.slice(-SHOWN_IN_LISTS[name]) : value;
    if (kindOfReference(document, name) === null) return JSON.stringify(list);
    if (KEEPS_DELETED.test(kind)) return JSON.stringify([...(list as string[])].sort());
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
      !isFollowed(kind, known, name) &&
      comparable(name, known[name], false) !== comparable(name, found[name], atRest),
  );
}

/** Returns whether a notification that has not been sent still follows its incident in this member. */
function isFollowed(kind: string, { sentAt }: Json, name: string): boolean {
  return kind === '/v1/notifications' && name === 'monitorIds' && sentAt === null;
}

/** Returns the state of an item. An unknown id was forgotten or has not been found yet. */
function lifeOf(world: World, id: string): string {
  const item = world.items.get(id);
  return item ? world.lifeOf(item, atOnce()) : 'unsure';
}
