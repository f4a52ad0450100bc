import { Injectable } from '@nestjs/common';
import { Transactions } from '../../database/tx.js';
import { ProblemException, validationFailed } from '../../http/problems/problem.js';
import { SessionsService, type SessionSummary } from '../sessions/sessions.service.js';
import { UsersService } from '../users/users.service.js';
import { PasswordChanges } from './password-changes.service.js';
import { type SignedIn } from './signed-in.types.js';

export interface PasswordChange {
  currentPassword: string;
  password: string;
}

/** Operations of a signed-in person on their own account. */
@Injectable()
export class AccountService {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly changes: PasswordChanges,
  ) {}

  /** Returns the sessions of the person. */
  places({ userId }: SignedIn): Promise<SessionSummary[]> {
    return this.sessions.list(userId);
  }

  /** Changes the name. @throws 422 by pointer `/name` */
  rename({ userId }: SignedIn, body: unknown): Promise<void> {
    return this.users.rename(userId, body);
  }

  /**
   * Sets a new password and ends all other sessions. Throws 422 by `/currentPassword` or `/password`, and 429 after
   * many wrong passwords from this address.
   */
  async changePassword(
    { email, sessionId, memberships }: SignedIn,
    { currentPassword, password }: PasswordChange,
    address: string,
  ): Promise<void> {
    const user = await this.users.authenticate(email, currentPassword, address);
    if (!user) throw notThePassword();
    const passwordHash = await this.users.prepareNewPassword(email, password);
    await this.transactions.run(async (tx) => {
      // Of two concurrent changes, the second one verified a password that is no longer the current one.
      if (!(await this.users.setPassword(tx, user, passwordHash))) throw notThePassword();
      await this.changes.settle(tx, user, { method: 'account', memberships, but: sessionId });
    });
    this.changes.announce(user);
  }

  /** Ends the session of this browser. */
  signOut({ userId, sessionId }: SignedIn): Promise<void> {
    return this.sessions.end(userId, sessionId);
  }

  /** Ends another session of the person. */
  signOutPlace({ userId }: SignedIn, sessionId: string): Promise<void> {
    return this.sessions.end(userId, sessionId);
  }

  /** Ends all sessions except this one. */
  signOutOthers({ userId, sessionId }: SignedIn): Promise<void> {
    return this.transactions.run((tx) => this.sessions.endAll(tx, userId, sessionId));
  }

  /** Ends all sessions, including this one. */
  signOutEverywhere({ userId }: SignedIn): Promise<void> {
    return this.transactions.run((tx) => this.sessions.endAll(tx, userId));
  }

  /** Switches the session to another team of the person. @throws 403 if they are not a member */
  async lookAt({ sessionId, memberships }: SignedIn, teamId: string): Promise<void> {
    const membership = memberships.find((one) => one.teamId === teamId);
    if (!membership) throw new ProblemException(403, 'forbidden', 'You are not a member of this team.');
    await this.transactions.run((tx) => this.sessions.look(tx, sessionId, membership.teamId));
  }
}

function notThePassword(): ProblemException {
  const detail = 'The current password is incorrect.';
  return validationFailed([{ pointer: '/currentPassword', code: 'invalid_value', detail }]);
}
