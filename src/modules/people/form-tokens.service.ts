import { Injectable } from '@nestjs/common';
import { createHash, timingSafeEqual } from 'node:crypto';
import { SecretBox } from '../../database/secret-box.js';
import { type TeamId } from '../../http/auth/principal.js';
import { type SignedIn } from './signed-in.types.js';

/** Forms are of a session and a team: one that was opened in another team does nothing in the present one. */
@Injectable()
export class FormTokens {
  constructor(private readonly box: SecretBox) {}

  /** What each form of a session carries while it is in a team. */
  of(sessionId: string, teamId: TeamId): string {
    return this.box.hmac('form-token', `${sessionId} ${teamId}`).toString('base64url');
  }

  /**
   * What is wrong with the token of a form, as its sender is told; null where nothing is.
   *
   * @param ofAnyTeam the form acts on the person alone, so that it does not matter in which team it was opened
   */
  faultOf(token: string, who: SignedIn, ofAnyTeam: boolean): string | null {
    if (isSame(token, who.formToken)) return null;
    const openedIn = who.memberships.find(({ teamId }) => isSame(token, this.of(who.sessionId, teamId)));
    if (!openedIn) return 'The form is out of date: reload its page, then send it again.';
    if (ofAnyTeam) return null;
    return `The form was opened in the team ${openedIn.teamName}, and by now you are in ${who.teamName}. Nothing was changed: switch back to ${openedIn.teamName}, then send it again.`;
  }
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
