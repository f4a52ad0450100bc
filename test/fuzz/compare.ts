import { type ApiDocument } from './document.js';
import { isDecidedByChecks } from './incidents.js';
import { MASK } from '../../src/domain/mask.js';
import { kindOfReference } from './purpose.js';
import { atOnce, type Item, type Json, type World } from './world.js';

/** `number` is that of the request whose response is compared; it is missing when no request is pending. */
interface Comparison {
  world: World;
  document: ApiDocument;
  number?: number;
}

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
  'registration',
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
/**
 * Secrets in responses: a generated one, which only the response that generated it shows, and the token of an address
 * for reports, which is masked for callers that may only read, and is the current one in repeated responses.
 */
const SECRETS = /whsec_[^"]+|(?<=\/ping\/)[^"]+/g;
/** Items in lists show only this many of the newest entries: more cannot be compared. */
const SHOWN_IN_LISTS: Readonly<Record<string, number>> = { updates: 10 };

/** Masks the secrets in the JSON text of a response, which not every response about an item shows. */
export function masked(text: string): string {
  return text.replace(SECRETS, MASK);
}

/** Returns whether a body represents the same kind of resource as the known one. Actions may return something else. */
export function isAlike(known: Json, found: Json): boolean {
  return Object.keys(known).every((name) => name in found || MOVING.has(name));
}

/**
 * Returns the members in which an item differs from the last response, except for those that change by themselves.
 * Deleted items, and those that pending requests may delete, are ignored in lists of references. When no request is
 * pending, the lists must not name deleted items any more.
 */
export function differences(
  { world, document, number }: Comparison,
  { kind, body: known }: Item,
  found: Json,
): string[] {
  const isIgnored = (id: string, certain: boolean): boolean => {
    const item = world.items.get(id);
    // An unknown id was forgotten or has not been found yet.
    if (!item || (number !== undefined && !world.isSteady(number, item))) return true;
    const life = world.lifeOf(item, atOnce());
    return life !== 'live' && !(certain && life === 'gone');
  };
  const comparable = (name: string, value: unknown, certain: boolean): string => {
    if (name === 'match') {
      const members = Object.entries((value ?? {}) as Json).map(([member, one]) => [
        member,
        comparable(member, one, certain),
      ]);
      return JSON.stringify(members);
    }
    if (!Array.isArray(value)) return masked(JSON.stringify(value) ?? '');
    const list = SHOWN_IN_LISTS[name] ? value.slice(-SHOWN_IN_LISTS[name]) : value;
    if (kindOfReference(document, name) === null) return JSON.stringify(list);
    if (KEEPS_DELETED.test(kind)) return JSON.stringify([...(list as string[])].sort());
    return JSON.stringify(list.filter((id) => !isIgnored(String(id), certain)));
  };
  return [...new Set([...Object.keys(known), ...Object.keys(found)])].filter(
    (name) =>
      !MOVING.has(name) &&
      !isDecidedByChecks(kind, known, name) &&
      !isFollowed(kind, known, name) &&
      comparable(name, known[name], false) !== comparable(name, found[name], number === undefined),
  );
}

/** Returns whether a notification that has not been sent still follows its incident in this member. */
function isFollowed(kind: string, { sentAt }: Json, name: string): boolean {
  return kind === '/v1/notifications' && name === 'monitorIds' && sentAt === null;
}
