import { type ApiKey } from './api-key.entity.js';

type Life = Pick<ApiKey, 'prefix' | 'expiresAt' | 'revokedAt' | 'previousPrefix' | 'previousExpiresAt'>;

/** What is stored of a secret. */
export type StoredSecret = Pick<ApiKey, 'prefix' | 'secretHash'>;

/** The same, with who is shown it. */
export type ShownSecret = StoredSecret & Pick<ApiKey, 'shownTo'>;

/** What a rotation writes. */
export type Rotated = ShownSecret &
  Pick<ApiKey, 'previousPrefix' | 'previousSecretHash' | 'previousShownTo' | 'previousExpiresAt'>;

/** A key without the secret before the last rotation. */
export const NO_PREVIOUS = {
  previousPrefix: null,
  previousSecretHash: null,
  previousShownTo: null,
  previousExpiresAt: null,
} as const;

export interface RotationRequest {
  overlapSeconds: number;
  /** The prefix of the secret that asks; null where a person does. */
  askedBy: string | null;
}

/**
 * Until when the secret before the last rotation is accepted (epoch milliseconds, exclusive), revocation aside: to the
 * end of its overlap, and never beyond the expiry of its key. 0 where there is none.
 */
export function previousUntil({ expiresAt, previousExpiresAt }: Pick<Life, 'expiresAt' | 'previousExpiresAt'>): number {
  return Math.min(previousExpiresAt?.getTime() ?? 0, expiresAt?.getTime() ?? Infinity);
}

/** Whether the secret before the last rotation is still accepted at `now` (epoch milliseconds). */
export function isOverlapping(key: Life, now: number): boolean {
  return key.revokedAt === null && key.previousPrefix !== null && now < previousUntil(key);
}

/**
 * A key with a new secret, from `now` on (epoch milliseconds). The one that is replaced is accepted for the overlap, but
 * no longer than it would have been. Of old secrets one is kept: the one before it is refused from now on. Only where an
 * old secret asks, it stays the old one to its promised end, and the secret between is refused: its answer was lost, and
 * those who still use the old one must not pay for it.
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
