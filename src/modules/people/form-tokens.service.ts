import { Injectable } from '@nestjs/common';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { SecretBox } from '../../database/secret-box.js';
import { type TeamId } from '../../http/auth/principal.js';
import { type SignedIn } from './signed-in.types.js';

const MASK_BYTES = 32;

/** Binds forms to a session and a team, so that a form opened in another team does nothing in the current one. */
@Injectable()
export class FormTokens {
  constructor(private readonly box: SecretBox) {}

  /**
   * Returns a token for the forms of a session in a team. It differs each time: pages are compressed, and the size of a
   * compressed page would tell of a token that stays the same (BREACH).
   */
  of(sessionId: string, teamId: TeamId): string {
    const mask = randomBytes(MASK_BYTES);
    return Buffer.concat([mask, xor(this.digest(sessionId, teamId), mask)]).toString('base64url');
  }

  /**
   * Returns what is wrong with the token of a form, as a message to its sender; null if it is valid.
   *
   * @param ofAnyTeam whether the form affects only the person, so that it may have been opened in any of their teams
   */
  faultOf(token: string, who: SignedIn, ofAnyTeam: boolean): string | null {
    const given = unmasked(token);
    const isOf = (teamId: TeamId): boolean => isSame(given, this.digest(who.sessionId, teamId));
    if (isOf(who.teamId)) return null;
    const openedIn = who.memberships.find(({ teamId }) => isOf(teamId));
    if (!openedIn) return 'The form is out of date. Reload the page, then submit it again.';
    if (ofAnyTeam) return null;
    return `The form was opened in the team ${openedIn.teamName}, but you are now in ${who.teamName}. Nothing was changed. Switch back to ${openedIn.teamName}, then submit the form again.`;
  }

  private digest(sessionId: string, teamId: TeamId): Buffer {
    return this.box.hmac('form-token', `${sessionId} ${teamId}`);
  }
}

function unmasked(token: string): Buffer {
  const bytes = Buffer.from(token, 'base64url');
  return xor(bytes.subarray(MASK_BYTES), bytes.subarray(0, MASK_BYTES));
}

function xor(bytes: Buffer, mask: Buffer): Buffer {
  return Buffer.from(bytes.map((byte, at) => byte ^ (mask[at] ?? 0)));
}

function isSame(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
