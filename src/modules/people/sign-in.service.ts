import { Injectable } from '@nestjs/common';
import { Transactions } from '../../database/tx.js';
import { personActor } from '../../http/auth/actor.js';
import { ProblemException, validationFailed } from '../../http/problems/problem.js';
import { EventLog } from '../events/event-log.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { MembersService } from '../teams/members.service.js';
import { UsersService } from '../users/users.service.js';
import { personEvents } from './person-events.js';
import { type Browser } from './signed-in.types.js';

/** Signs people in. */
@Injectable()
export class SignInService {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly members: MembersService,
    private readonly sessions: SessionsService,
    private readonly events: EventLog,
  ) {}

  /**
   * Starts a session, ends the one that the browser had before, and returns the new token. Does not reveal what was
   * wrong: an unknown email and a wrong password throw the same 422. Throws 403 for a person who is no longer a member
   * of any team, and 429 after many failures.
   */
  async signIn(email: string, password: string, browser: Browser): Promise<string> {
    const user = await this.users.authenticate(email, password, browser.address);
    if (!user) throw wrongCredentials();
    const memberships = await this.members.of(user.id);
    const [membership] = memberships;
    if (!membership) {
      throw new ProblemException(
        403,
        'forbidden',
        'You are no longer a member of any team. Ask an owner for an invitation.',
      );
    }
    return this.transactions.run(async (tx) => {
      if (!(await this.users.holdPassword(tx, user))) throw wrongCredentials();
      await this.sessions.endToken(tx, browser.token);
      const actor = personActor(user.id, user.name);
      await this.events.record(tx, personEvents('session.signed_in', user, memberships, { actor }));
      return this.sessions.start(tx, membership, browser.userAgent);
    });
  }
}

/** Returns the same 422 for an unknown email and for a wrong password. */
export function wrongCredentials(): ProblemException {
  const detail = 'The email or password is incorrect.';
  return validationFailed([{ pointer: '/password', code: 'invalid_value', detail }]);
}
