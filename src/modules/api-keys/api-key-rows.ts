import { In } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { managerOf, type Tx } from '../../database/tx.js';
import { challenge } from '../../http/auth/bearer.guard.js';
import { authorOf, grants, type Person, type Scope, scopeOfRole, type TeamId } from '../../http/auth/principal.js';
import { notFound, ProblemException } from '../../http/problems/problem.js';
import { type NewEvent } from '../events/new-event.types.js';
import { type MembersService } from '../teams/members.service.js';
import { adminUntil, isActive, type OwnGrant } from './api-key-definition.js';
import { keyEvent } from './api-key-events.js';
import { isOverlapping } from './api-key-rotation.js';
import { ApiKey } from './api-key.entity.js';
import { type Caller, type KeyWriter } from './key-writer.types.js';

// Checks that writes to API keys run on the rows of a team while they hold its lock. Errors are thrown as problems.

/** What the author of a write may grant, and who is shown the secrets that it creates. */
export interface CallersGrant extends OwnGrant {
  /**
   * In the form of `authorOf`: the person; for a key, whoever was shown the secret of the request, because they may be
   * the one making it. It is the key itself if this is not known.
   */
  holder: string;
}

/** Returns what the author of a write may grant now: see `keysGrant` and, for people, `personsGrant`. */
export function callersGrant(
  tx: Tx,
  members: MembersService,
  teamId: TeamId,
  caller: KeyWriter,
  now: number,
): Promise<CallersGrant> {
  return 'userId' in caller ? personsGrant(tx, members, teamId, caller) : keysGrant(tx, teamId, caller, now);
}

/** Uses the current role, not that at the start of the request. Throws 403 for viewers and for former members. */
async function personsGrant(
  tx: Tx,
  members: MembersService,
  teamId: TeamId,
  { userId }: Person,
): Promise<CallersGrant> {
  const role = await members.roleOf(tx, teamId, userId);
  if (role === null || role === 'viewer') {
    throw new ProblemException(403, 'forbidden', 'Only editors and owners of the team can create and change keys.');
  }
  return { scopes: [scopeOfRole(role)], expiresAt: null, ofPerson: true, holder: authorOf({ userId }) };
}

/** Throws 403 if a person who is not an owner would change a key that somebody else created. */
export function assertOwnKey(caller: KeyWriter, own: OwnGrant, key: ApiKey): void {
  if (!('userId' in caller) || grants(own.scopes, 'admin') || key.createdBy === authorOf(caller)) return;
  throw new ProblemException(403, 'forbidden', 'Only the creator of this key or an owner of the team can do this.');
}

/**
 * Returns as whom a person can act in a team (`authorOf`): as themselves, with the keys that they created or whose
 * secret they were shown, and with those created or rotated with such keys in turn. Includes revoked keys.
 */
export async function authorsBehind(tx: Tx, { teamId, userId }: Pick<Person, 'teamId' | 'userId'>): Promise<string[]> {
  const person = authorOf({ userId });
  const known: { id: string }[] = await managerOf(tx).query(
    `WITH RECURSIVE known AS (
       SELECT id FROM api_keys WHERE team_id = $1 AND $2 IN (created_by, shown_to, previous_shown_to)
       UNION
       SELECT k.id FROM api_keys k JOIN known
         ON k.team_id = $1 AND 'api-key:' || known.id IN (k.created_by, k.shown_to, k.previous_shown_to)
     ) SELECT id FROM known`,
    [teamId, person],
  );
  return [person, ...known.map(({ id }) => authorOf({ keyId: id }))];
}

/**
 * Revokes the keys that these authors created or whose secret they were shown, unless `kept` includes all scopes of the
 * key. If only the previous secret of a key was shown to one of them, that secret alone is removed. Everything removed
 * is refused everywhere within a second of the commit. A team's last admin key is no exception. Returns the events to
 * record.
 */
export async function revokeMadeBy(
  tx: Tx,
  teamId: TeamId,
  authors: readonly string[],
  kept: readonly Scope[],
  now: number,
): Promise<NewEvent[]> {
  const [revoked]: [{ id: string }[], number] = await managerOf(tx).query(
    `UPDATE api_keys SET revoked_at = $4, revision = revision + 1
     WHERE team_id = $1 AND revoked_at IS NULL AND NOT scopes <@ $3::text[]
       AND (created_by = ANY($2::text[]) OR shown_to = ANY($2::text[])) RETURNING id`,
    [teamId, authors, kept, new Date(now)],
  );
  const [cut]: [{ id: string; prefix: string }[], number] = await managerOf(tx).query(
    `UPDATE api_keys k SET revision = k.revision + 1,
       previous_prefix = NULL, previous_secret_hash = NULL, previous_shown_to = NULL, previous_expires_at = NULL
     FROM api_keys old
     WHERE old.id = k.id AND k.team_id = $1 AND k.revoked_at IS NULL AND NOT k.scopes <@ $3::text[]
       AND k.previous_shown_to = ANY($2::text[]) AND k.previous_expires_at > $4
     RETURNING k.id, old.previous_prefix AS prefix`,
    [teamId, authors, kept, new Date(now)],
  );
  const previous = new Map(cut.map(({ id, prefix }) => [id, prefix]));
  const ids = [...revoked, ...cut].map(({ id }) => id);
  const keys = await managerOf(tx).findBy(ApiKey, { teamId, id: In(ids) });
  return keys.map((key) => {
    const before = previous.get(key.id);
    if (before === undefined) return keyEvent('api_key.revoked', key);
    return keyEvent('api_key.updated', key, [{ pointer: '/previousPrefix', before, after: null }]);
  });
}

/**
 * Returns what the calling key may grant now. Throws 401 if the key, or the secret that was sent, has become invalid
 * since it was verified: other processes accept it for up to a second, which must not be enough to create or take over
 * a key.
 */
async function keysGrant(tx: Tx, teamId: TeamId, caller: Caller, now: number): Promise<CallersGrant> {
  const { keyId, prefix } = caller;
  const own = await managerOf(tx).findOneBy(ApiKey, { teamId, id: keyId });
  const isKnown = own?.prefix === prefix || (own?.previousPrefix === prefix && isOverlapping(own, now));
  if (!own || !isKnown || !isActive(own, now)) throw invalidToken();
  const { scopes, expiresAt } = own;
  const shownTo = own.prefix === prefix ? own.shownTo : own.previousShownTo;
  return { scopes, expiresAt, holder: shownTo ?? authorOf(caller) };
}

/** Returns a key of the team that is not revoked; throws 404 otherwise. */
export async function writableKey(tx: Tx, teamId: TeamId, id: string): Promise<ApiKey> {
  const key = isUuid(id) ? await managerOf(tx).findOneBy(ApiKey, { teamId, id }) : null;
  if (!key || key.revokedAt) throw notFound();
  return key;
}

/**
 * Throws 409 if the change would leave the team, as of `now`, without an admin key: if this key stops being an admin
 * key earlier than before, and no other admin key lasts longer.
 */
export async function assertAdminLeft(tx: Tx, before: ApiKey, after: ApiKey, now: number): Promise<void> {
  const until = adminUntil(after, now);
  if (until >= adminUntil(before, now)) return;
  const all = await managerOf(tx).findBy(ApiKey, { teamId: before.teamId });
  if (all.some((other) => other.id !== before.id && adminUntil(other, now) > until)) return;
  const detail = 'The team would be left without an admin key. First create another admin key that lasts longer.';
  throw new ProblemException(409, 'last_admin_key', detail);
}

/** Returns the same problem as the bearer guard, which accepted the key a moment ago. */
function invalidToken(): ProblemException {
  const headers = { 'WWW-Authenticate': challenge('invalid_token') };
  return new ProblemException(401, 'invalid_token', 'The API key is malformed, unknown, expired or revoked.', {
    headers,
  });
}
