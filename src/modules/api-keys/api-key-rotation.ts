import { type ApiKey } from './api-key.entity.js';

type Life = Pick<ApiKey, 'prefix' | 'expiresAt' | 'revokedAt' | 'previousPrefix' | 'previousExpiresAt'>;

/** The stored form of a secret. */
export type StoredSecret = Pick<ApiKey, 'prefix' | 'secretHash'>;

/** A stored secret and who was shown it. */
export type ShownSecret = StoredSecret & Pick<ApiKey, 'shownTo'>;

/** The columns that a rotation writes. */
export type Rotated = ShownSecret &
  Pick<ApiKey, 'previousPrefix' | 'previousSecretHash' | 'previousShownTo' | 'previousExpiresAt'>;

/** The columns of a key without a previous secret. */
export const NO_PREVIOUS = {
  previousPrefix: null,
  previousSecretHash: null,
  previousShownTo: null,
  previousExpiresAt: null,
} as const;

export interface RotationRequest {
  overlapSeconds: number;
  /** Prefix of the secret that authenticated the request; null for a request by a person. */
  askedBy: string | null;
}

/**
 * Returns until when the previous secret (the one before the last rotation) is accepted (epoch milliseconds,
 * exclusive), ignoring revocation: the end of its overlap, but never beyond the expiry of its key. 0 if there is no
 * previous secret.
 */
export function previousUntil({ expiresAt, previousExpiresAt }: Pick<Life, 'expiresAt' | 'previousExpiresAt'>): number {
  return Math.min(previousExpiresAt?.getTime() ?? 0, expiresAt?.getTime() ?? Infinity);
}

/** Returns whether the previous secret is still accepted at `now` (epoch milliseconds). */
export function isOverlapping(key: Life, now: number): boolean {
  return key.revokedAt === null && key.previousPrefix !== null && now < previousUntil(key);
}

/**
 * Returns the columns of a key that gets a new secret at `now` (epoch milliseconds). The replaced secret is accepted
 * for the overlap, but no longer than it would have been otherwise. Only one old secret is retained: the one before it
 * is refused from now on. The exception is a request made with the previous secret, because the response to the last
 * rotation was lost: the previous secret remains accepted, until the end it was promised at most, and the secret in
 * between is refused. Clients that still use the previous secret must not be cut off by the retry.
 */
export function rotated(key: ApiKey, next: ShownSecret, request: RotationRequest, now: number): Rotated {
  const asksAgain = request.askedBy !== null && request.askedBy === key.previousPrefix;
  const end = asksAgain ? previousUntil(key) : (key.expiresAt?.getTime() ?? Infinity);
  const until = Math.min(end, now + request.overlapSeconds * 1_000);
  if (until <= now) return { ...next, ...NO_PREVIOUS };
  return {
    ...next,
    previousPrefix: asksAgain ? key.previousPrefix : key.prefix,
    previousSecretHash: asksAgain ? key.previousSecretHash : key.secretHash,
    previousShownTo: asksAgain ? key.previousShownTo : key.shownTo,
    previousExpiresAt: new Date(until),
  };
}
