import { validate as isUuid } from 'uuid';
import { managerOf, type Tx } from '../../database/tx.js';
import { challenge } from '../../http/auth/bearer.guard.js';
import { authorOf, grants, type Person, type Scope, scopeOfRole, type TeamId } from '../../http/auth/principal.js';
import { notFound, ProblemException } from '../../http/problems/problem.js';
import { type MembersService } from '../teams/members.service.js';
import { type Caller, type KeyWriter } from './api-key-credential.js';
import { adminUntil, isActive, type OwnGrant } from './api-key-definition.js';
import { isOverlapping } from './api-key-rotation.js';
import { ApiKey } from './api-key.entity.js';

// What writes of keys ask of the rows of a team, which they have locked. Errors are problems.

/** What who writes keys may do now: as `keysGrant` or, of a person, `personsGrant` says it. */
export function callersGrant(
  tx: Tx,
  members: MembersService,
  teamId: TeamId,
  caller: KeyWriter,
  now: number,
): Promise<OwnGrant> {
  return 'userId' in caller ? personsGrant(tx, members, teamId, caller) : keysGrant(tx, teamId, caller, now);
}

/** By the role of this moment, not that of when the request began. 403 for viewers, and for who is no longer a member. */
async function personsGrant(tx: Tx, members: MembersService, teamId: TeamId, { userId }: Person): Promise<OwnGrant> {
  const role = await members.roleOf(tx, teamId, userId);
  if (role === null || role === 'viewer') {
    throw new ProblemException(403, 'forbidden', 'API keys are made and changed by editors and owners of the team.');
  }
  return { scopes: [scopeOfRole(role)], expiresAt: null, ofPerson: true };
}

/** Throws 403 where a person who is no owner would change a key that somebody else has made. */
export function assertOwnKey(caller: KeyWriter, own: OwnGrant, key: ApiKey): void {
  if (!('userId' in caller) || grants(own.scopes, 'admin') || key.createdBy === authorOf(caller)) return;
  throw new ProblemException(403, 'forbidden', 'Somebody else has made this key: ask them, or an owner of the team.');
}

/**
 * Revokes the keys that somebody has made or whose secret they were shown, and what was made or rotated with those keys
 * in turn, of which `kept` does not include all scopes. An old secret of theirs ends, too, where the key has another by
 * now. It is refused everywhere within a second of the commit. That it is the last admin key saves none.
 */
export async function revokeMadeBy(
  tx: Tx,
  { teamId, userId }: Pick<Person, 'teamId' | 'userId'>,
  kept: readonly Scope[],
  now: number,
): Promise<void> {
  const theirs = `WITH RECURSIVE known AS (
       SELECT id FROM api_keys WHERE team_id = $1 AND $2 IN (created_by, shown_to, previous_shown_to)
       UNION
       SELECT k.id FROM api_keys k JOIN known
         ON k.team_id = $1 AND 'api-key:' || known.id IN (k.created_by, k.shown_to, k.previous_shown_to)
     ), holders AS (SELECT $2 AS holder UNION SELECT 'api-key:' || id FROM known)`;
  await managerOf(tx).query(
    `${theirs}
     UPDATE api_keys k SET revoked_at = $3, revision = revision + 1
     WHERE k.team_id = $1 AND k.revoked_at IS NULL AND NOT k.scopes <@ $4::text[]
       AND EXISTS (SELECT FROM holders WHERE holder IN (k.created_by, k.shown_to))`,
    [teamId, authorOf({ userId }), new Date(now), kept],
  );
  await managerOf(tx).query(
    `${theirs}
     UPDATE api_keys k SET revision = revision + 1,
       previous_prefix = NULL, previous_secret_hash = NULL, previous_shown_to = NULL, previous_expires_at = NULL
     WHERE k.team_id = $1 AND k.revoked_at IS NULL AND NOT k.scopes <@ $3::text[]
       AND EXISTS (SELECT FROM holders WHERE holder = k.previous_shown_to)`,
    [teamId, authorOf({ userId }), kept],
  );
}

/**
 * What the calling key may do now. 401 where it, or the secret that it sent, is refused since it was verified: for up to
 * a second other processes let it in, which must not be enough to make or take over a key.
 */
async function keysGrant(tx: Tx, teamId: TeamId, caller: Caller, now: number): Promise<OwnGrant> {
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
