import { Injectable } from '@nestjs/common';
import { Transactions } from '../../database/tx.js';
import { ProblemException, validationFailed } from '../../http/problems/problem.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { MembersService } from '../teams/members.service.js';
import { UsersService } from '../users/users.service.js';
import { type Browser } from './signed-in.types.js';

/** Lets people in. */
@Injectable()
export class SignInService {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly members: MembersService,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Begins a session, and ends the one that the browser had; gives its token. What was wrong is not told: an unknown
   * email and a wrong password are one and the same 422. 403 for who is in no team any more, 429 after many failures.
   */
  async signIn(email: string, password: string, browser: Browser): Promise<string> {
    const user = await this.users.authenticate(email, password, browser.address);
    if (!user) throw wrongCredentials();
    const [membership] = await this.members.of(user.id);
    if (!membership) {
      throw new ProblemException(403, 'forbidden', 'You are in no team any more: ask an owner for an invitation.');
    }
    return this.transactions.run(async (tx) => {
      if (!(await this.users.holdPassword(tx, user))) throw wrongCredentials();
      await this.sessions.endToken(tx, browser.token);
      return this.sessions.start(tx, membership, browser.userAgent);
    });
  }
}

/** 422, whatever of the two was wrong. */
export function wrongCredentials(): ProblemException {
  const detail = 'The email or the password is wrong.';
  return validationFailed([{ pointer: '/password', code: 'invalid_value', detail }]);
}
