import { Injectable } from '@nestjs/common';
import { Transactions } from '../../database/tx.js';
import { ProblemException, validationFailed } from '../../http/problems/problem.js';
import { SessionsService, type SessionSummary } from '../sessions/sessions.service.js';
import { UsersService } from '../users/users.service.js';
import { type SignedIn } from './signed-in.types.js';

export interface PasswordChange {
  currentPassword: string;
  password: string;
}

/** What people do to their own account. */
@Injectable()
export class AccountService {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
  ) {}

  /** The places where they are signed in. */
  places({ userId }: SignedIn): Promise<SessionSummary[]> {
    return this.sessions.list(userId);
  }

  /** Takes another name. @throws 422 by pointer `/name` */
  rename({ userId }: SignedIn, body: unknown): Promise<void> {
    return this.users.rename(userId, body);
  }

  /**
   * Sets a new password and ends all other sessions. 422 by `/currentPassword` and `/password`, 429 after many wrong
   * ones from this address.
   */
  async changePassword(
    { email, sessionId }: SignedIn,
    { currentPassword, password }: PasswordChange,
    address: string,
  ): Promise<void> {
    const user = await this.users.authenticate(email, currentPassword, address);
    if (!user) throw notThePassword();
    const passwordHash = await this.users.prepareNewPassword(email, password);
    await this.transactions.run(async (tx) => {
      // Of two who change it at once, the second one has not given what is the password by then.
      if (!(await this.users.setPassword(tx, user, passwordHash))) throw notThePassword();
      await this.sessions.endAll(tx, user.id, sessionId);
    });
  }

  /** Ends the session of this browser. */
  signOut({ userId, sessionId }: SignedIn): Promise<void> {
    return this.sessions.end(userId, sessionId);
  }

  /** Ends another session of theirs. */
  signOutPlace({ userId }: SignedIn, sessionId: string): Promise<void> {
    return this.sessions.end(userId, sessionId);
  }

  /** Ends all sessions but this one. */
  signOutOthers({ userId, sessionId }: SignedIn): Promise<void> {
    return this.transactions.run((tx) => this.sessions.endAll(tx, userId, sessionId));
  }

  /** Ends all sessions, this one too. */
  signOutEverywhere({ userId }: SignedIn): Promise<void> {
    return this.transactions.run((tx) => this.sessions.endAll(tx, userId));
  }

  /** Looks at another team of theirs. @throws 403 where they are not in it */
  async lookAt({ sessionId, memberships }: SignedIn, teamId: string): Promise<void> {
    const membership = memberships.find((one) => one.teamId === teamId);
    if (!membership) throw new ProblemException(403, 'forbidden', 'You are not in this team.');
    await this.transactions.run((tx) => this.sessions.look(tx, sessionId, membership.teamId));
  }
}

function notThePassword(): ProblemException {
  const detail = 'This is not your present password.';
  return validationFailed([{ pointer: '/currentPassword', code: 'invalid_value', detail }]);
}
