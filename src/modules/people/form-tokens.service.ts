import { Injectable } from '@nestjs/common';
import { createHash, timingSafeEqual } from 'node:crypto';
import { SecretBox } from '../../database/secret-box.js';
import { type TeamId } from '../../http/auth/principal.js';
import { type SignedIn } from './signed-in.types.js';

/** Binds forms to a session and a team, so that a form opened in another team does nothing in the current one. */
@Injectable()
export class FormTokens {
  constructor(private readonly box: SecretBox) {}

  /** Returns the token of the forms of a session in a team. */
  of(sessionId: string, teamId: TeamId): string {
    return this.box.hmac('form-token', `${sessionId} ${teamId}`).toString('base64url');
  }

  /**
   * Returns what is wrong with the token of a form, as a message to its sender; null if it is valid.
   *
   * @param ofAnyTeam whether the form affects only the person, so that it may have been opened in any of their teams
   */
  faultOf(token: string, who: SignedIn, ofAnyTeam: boolean): string | null {
    if (isSame(token, who.formToken)) return null;
    const openedIn = who.memberships.find(({ teamId }) => isSame(token, this.of(who.sessionId, teamId)));
    if (!openedIn) return 'The form is out of date. Reload the page, then submit it again.';
    if (ofAnyTeam) return null;
    return `The form was opened in the team ${openedIn.teamName}, but you are now in ${who.teamName}. Nothing was changed. Switch back to ${openedIn.teamName}, then submit the form again.`;
  }
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
