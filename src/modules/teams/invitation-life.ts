import { type Invitation } from './invitation.entity.js';

/** How an invitation stands. */
export type InvitationState = 'open' | 'accepted' | 'revoked' | 'expired';

/** How an invitation stands at `now` (epoch milliseconds). At `expiresAt` exactly it has expired. */
export function invitationState(
  { acceptedAt, revokedAt, expiresAt }: Pick<Invitation, 'acceptedAt' | 'revokedAt' | 'expiresAt'>,
  now: number,
): InvitationState {
  if (acceptedAt !== null) return 'accepted';
  if (revokedAt !== null) return 'revoked';
  return expiresAt.getTime() <= now ? 'expired' : 'open';
}
