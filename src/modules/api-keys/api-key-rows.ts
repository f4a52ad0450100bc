import { validate as isUuid } from 'uuid';
import { managerOf, type Tx } from '../../database/tx.js';
import { challenge } from '../../http/bearer.guard.js';
import { type TeamId } from '../../http/principal.js';
import { notFound, ProblemException } from '../../http/problem.js';
import { type Caller } from './api-key-credential.js';
import { adminUntil, type Grant, isActive } from './api-key-definition.js';
import { isOverlapping } from './api-key-rotation.js';
import { ApiKey } from './api-key.entity.js';

// What writes of keys ask of the rows of a team, which they have locked. Errors are problems.

/**
 * What the calling key may do now. 401 where it, or the secret that it sent, is refused since it was verified: for up to
 * a second other processes let it in, which must not be enough to make or take over a key.
 */
export async function callersGrant(tx: Tx, teamId: TeamId, caller: Caller, now: number): Promise<Grant> {
  const { keyId, prefix } = caller;
  const own = await managerOf(tx).findOneBy(ApiKey, { teamId, id: keyId });
  const isKnown = own?.prefix === prefix || (own?.previousPrefix === prefix && isOverlapping(own, now));
  if (!own || !isKnown || !isActive(own, now)) throw invalidToken();
  return own;
}

/** A key of the team that is not revoked; else 404. */
export async function writableKey(tx: Tx, teamId: TeamId, id: string): Promise<ApiKey> {
  const key = isUuid(id) ? await managerOf(tx).findOneBy(ApiKey, { teamId, id }) : null;
  if (!key || key.revokedAt) throw notFound();
  return key;
}

/**
 * Throws 409 where the team, as known at `now`, would be without an admin key once this one has ceased to be one: where
 * it ceases earlier than it did before, and no other lasts longer.
 */
export async function assertAdminLeft(tx: Tx, before: ApiKey, after: ApiKey, now: number): Promise<void> {
  const until = adminUntil(after, now);
  if (until >= adminUntil(before, now)) return;
  const all = await managerOf(tx).findBy(ApiKey, { teamId: before.teamId });
  if (all.some((other) => other.id !== before.id && adminUntil(other, now) > until)) return;
  const detail = 'The team would be left without an admin key: make another one first, one that lasts longer.';
  throw new ProblemException(409, 'last_admin_key', detail);
}

/** As the guard says it: the key was valid a moment ago. */
function invalidToken(): ProblemException {
  const headers = { 'WWW-Authenticate': challenge('invalid_token') };
  return new ProblemException(401, 'invalid_token', 'The API key is malformed, unknown, expired or revoked.', {
    headers,
  });
}
