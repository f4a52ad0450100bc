import { type Invitation } from './invitation.entity.js';

/** The state of an invitation. */
export type InvitationState = 'open' | 'accepted' | 'revoked' | 'expired';

/** Returns the state of an invitation at `now` (epoch milliseconds). It is expired from `expiresAt` on. */
export function invitationState(
  { acceptedAt, revokedAt, expiresAt }: Pick<Invitation, 'acceptedAt' | 'revokedAt' | 'expiresAt'>,
  now: number,
): InvitationState {
  if (acceptedAt !== null) return 'accepted';
  if (revokedAt !== null) return 'revoked';
  return expiresAt.getTime() <= now ? 'expired' : 'open';
}
