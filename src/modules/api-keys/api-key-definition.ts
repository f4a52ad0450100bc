import { type JsonObject } from '../../http/body/json.js';
import { grants, type Scope } from '../../http/auth/principal.js';
import { type FieldError, ProblemException, validationFailed } from '../../http/problems/problem.js';
import { inspectBody, readObject } from '../../http/body/validation.js';
import { READ_ONLY_FIELDS } from './dto/api-key.dto.js';
import { CreateApiKeyDto } from './dto/create-api-key.dto.js';

/** What a key may do, and until when; null: for ever. */
export interface Grant {
  scopes: readonly Scope[];
  expiresAt: Date | null;
}

/** What somebody who writes keys may give away. */
export interface OwnGrant extends Grant {
  /** A person's: it comes of their role. A key's where it is left out. */
  ofPerson?: true;
}

/** The writable part of a key. */
export interface ApiKeyDefinition extends Grant {
  name: string;
  scopes: Scope[];
}

/**
 * A stored definition under a JSON merge patch (RFC 7396), to be read as a new one. No member holds an object, so members
 * replace each other whole; `null` stays in: reading takes it for absent, but still tells an unknown name.
 */
export function patched({ name, scopes, expiresAt }: ApiKeyDefinition, patch: JsonObject): JsonObject {
  return { name, scopes, expiresAt: expiresAt?.toISOString() ?? null, ...patch };
}

/**
 * The definition in a parsed body. A new expiry lies after `now` (epoch milliseconds); one that is `stored` already may
 * have passed. Throws 422 with every fault at once.
 */
export function readDefinition(body: unknown, now: number, stored: Date | null = null): ApiKeyDefinition {
  const { instance, errors } = inspectBody(CreateApiKeyDto, readObject(body), { readOnly: READ_ONLY_FIELDS });
  const faulty = new Set(errors.map(({ pointer }) => pointer));
  const expiresAt = typeof instance.expiresAt === 'string' ? new Date(instance.expiresAt) : null;
  const isPast = expiresAt !== null && expiresAt.getTime() <= now && expiresAt.getTime() !== stored?.getTime();
  if (isPast && !faulty.has('/expiresAt')) {
    errors.push({ pointer: '/expiresAt', code: 'out_of_range', detail: 'expiresAt must lie in the future.' });
  }
  if (errors.length > 0) throw validationFailed(errors);
  return { name: instance.name, scopes: instance.scopes, expiresAt };
}

type Life = Grant & { revokedAt: Date | null };

/** Whether a key is accepted at `now` (epoch milliseconds). */
export function isActive({ expiresAt, revokedAt }: Life, now: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt.getTime() > now);
}

/**
 * Until when a key is an admin's, as known at `now` (both epoch milliseconds; `Infinity`: for ever): until it expires,
 * and `now` where it is none, or is not accepted.
 */
export function adminUntil(key: Life, now: number): number {
  if (!isActive(key, now) || !grants(key.scopes, 'admin')) return now;
  return key.expiresAt?.getTime() ?? Infinity;
}

/**
 * Throws 403 where a grant exceeds the caller's own: nobody makes, changes or rotates a key that is stronger than
 * themselves.
 */
export function assertWithin(own: OwnGrant, grant: Grant): void {
  const errors = excess(own, grant);
  if (errors.length === 0) return;
  const detail = own.ofPerson
    ? 'The key would be allowed more than your role is.'
    : 'No API key makes, changes or rotates one whose scopes or expiry exceed its own.';
  throw new ProblemException(403, 'forbidden', detail, { errors });
}

function excess(own: OwnGrant, grant: Grant): FieldError[] {
  const errors: FieldError[] = [];
  if (grant.scopes.some((scope) => !grants(own.scopes, scope))) {
    const detail = `${own.ofPerson ? 'Your role' : 'The calling key'} has ${own.scopes.join(', ')}.`;
    errors.push({ pointer: '/scopes', code: 'exceeds_own', detail });
  }
  const end = ({ expiresAt }: Grant) => expiresAt?.getTime() ?? Infinity;
  if (own.expiresAt !== null && end(grant) > end(own)) {
    const detail = `The calling key expires at ${own.expiresAt.toISOString()}.`;
    errors.push({ pointer: '/expiresAt', code: 'exceeds_own', detail });
  }
  return errors;
}
