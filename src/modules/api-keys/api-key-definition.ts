import { type JsonObject } from '../../http/body/json.js';
import { grants, type Scope } from '../../http/auth/principal.js';
import { type FieldError, ProblemException, validationFailed } from '../../http/problems/problem.js';
import { inspectBody, readObject } from '../../http/body/validation.js';
import { READ_ONLY_FIELDS } from './dto/api-key.dto.js';
import { CreateApiKeyDto } from './dto/create-api-key.dto.js';

/** The scopes of a key, and when it expires; null means never. */
export interface Grant {
  scopes: readonly Scope[];
  expiresAt: Date | null;
}

/** The most that the author of a write may grant to a key. */
export interface OwnGrant extends Grant {
  /** Set if the author is a person, whose role determines the grant; absent if the author is a key. */
  ofPerson?: true;
}

/** The writable fields of a key. */
export interface ApiKeyDefinition extends Grant {
  name: string;
  scopes: Scope[];
}

/**
 * Returns a stored definition after a JSON merge patch (RFC 7396), for `readDefinition` to read like a new one. No
 * member is an object, so each one replaces the stored one as a whole. `null` stays in the result: it is read as
 * absent, but an unknown name is still reported.
 */
export function patched({ name, scopes, expiresAt }: ApiKeyDefinition, patch: JsonObject): JsonObject {
  return { name, scopes, expiresAt: expiresAt?.toISOString() ?? null, ...patch };
}

/**
 * Reads the definition from a parsed body. A new expiry must be after `now` (epoch milliseconds); one that equals the
 * `stored` expiry may be in the past. Throws 422 with all errors at once.
 */
export function readDefinition(body: unknown, now: number, stored: Date | null = null): ApiKeyDefinition {
  const { instance, errors } = inspectBody(CreateApiKeyDto, readObject(body), { readOnly: READ_ONLY_FIELDS });
  const faulty = new Set(errors.map(({ pointer }) => pointer));
  const expiresAt = typeof instance.expiresAt === 'string' ? new Date(instance.expiresAt) : null;
  const isPast = expiresAt !== null && expiresAt.getTime() <= now && expiresAt.getTime() !== stored?.getTime();
  if (isPast && !faulty.has('/expiresAt')) {
    errors.push({ pointer: '/expiresAt', code: 'out_of_range', detail: 'expiresAt must be in the future.' });
  }
  if (errors.length > 0) throw validationFailed(errors);
  return { name: instance.name, scopes: instance.scopes, expiresAt };
}

type Life = Grant & { revokedAt: Date | null };

/** Returns whether a key is accepted at `now` (epoch milliseconds). */
export function isActive({ expiresAt, revokedAt }: Life, now: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt.getTime() > now);
}

/**
 * Returns until when a key is an admin key, as of `now` (both epoch milliseconds): its expiry, or `Infinity` if it has
 * none. Returns `now` for a key that is not an admin key or is not accepted.
 */
export function adminUntil(key: Life, now: number): number {
  if (!isActive(key, now) || !grants(key.scopes, 'admin')) return now;
  return key.expiresAt?.getTime() ?? Infinity;
}

/** Throws 403 if a grant exceeds the caller's own, so that no write gives a key more access than its author has. */
export function assertWithin(own: OwnGrant, grant: Grant): void {
  const errors = excess(own, grant);
  if (errors.length === 0) return;
  const detail = own.ofPerson
    ? 'The key would have more access than your role allows.'
    : 'An API key cannot create, change or rotate a key whose scopes or expiry exceed its own.';
  throw new ProblemException(403, 'forbidden', detail, { errors });
}

function excess(own: OwnGrant, grant: Grant): FieldError[] {
  const errors: FieldError[] = [];
  if (grant.scopes.some((scope) => !grants(own.scopes, scope))) {
    const detail = `${own.ofPerson ? 'Your role' : 'The calling key'} is limited to ${own.scopes.join(', ')}.`;
    errors.push({ pointer: '/scopes', code: 'exceeds_own', detail });
  }
  const end = ({ expiresAt }: Grant) => expiresAt?.getTime() ?? Infinity;
  if (own.expiresAt !== null && end(grant) > end(own)) {
    const detail = `The calling key expires at ${own.expiresAt.toISOString()}.`;
    errors.push({ pointer: '/expiresAt', code: 'exceeds_own', detail });
  }
  return errors;
}
