import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '../../database/tx.js';
import { personActor } from '../../http/auth/actor.js';
import { EventLog } from '../events/event-log.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { InvitationsService, type Invited } from '../teams/invitations.service.js';
import { MembersService } from '../teams/members.service.js';
import { TeamsService } from '../teams/teams.service.js';
import { UsersService } from '../users/users.service.js';
import { personEvents } from './person-events.js';
import { wrongCredentials } from './sign-in.service.js';
import { type Browser, type SignedIn } from './signed-in.types.js';

/** Lets people join a team with an invitation, whose state is checked again when it is accepted. */
@Injectable()
export class JoiningService {
  constructor(
    private readonly transactions: Transactions,
    private readonly invitations: InvitationsService,
    private readonly members: MembersService,
    private readonly teams: TeamsService,
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly events: EventLog,
  ) {}

  /** Creates an account (`NewUserDto`) that joins the team. Returns the token of its session. */
  async asNewPerson(invited: Invited, body: unknown, browser: Browser): Promise<string> {
    const user = await this.users.prepare(body);
    return this.transactions.run(async (tx) => {
      await this.users.insert(tx, user);
      await this.join(tx, invited, user.id);
      return this.begin(tx, invited, user.id, browser);
    });
  }

  /**
   * Signs in a person, who joins the team. Returns the token of the session.
   * @throws as `SignInService.signIn`, 409 for a member
   */
  async bySigningIn(invited: Invited, email: string, password: string, browser: Browser): Promise<string> {
    const user = await this.users.authenticate(email, password, browser.address);
    if (!user) throw wrongCredentials();
    const memberships = [...(await this.members.of(user.id)), invited];
    return this.transactions.run(async (tx) => {
      if (!(await this.users.holdPassword(tx, user))) throw wrongCredentials();
      await this.join(tx, invited, user.id);
      const actor = personActor(user.id, user.name);
      await this.events.record(tx, personEvents('session.signed_in', user, memberships, { actor }));
      return this.begin(tx, invited, user.id, browser);
    });
  }

  /** Lets the signed-in person join, and switches their session to the new team. @throws 409 for a member */
  async asSignedIn(invited: Invited, { userId, sessionId }: SignedIn): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.join(tx, invited, userId);
      await this.sessions.look(tx, sessionId, invited.teamId);
    });
  }

  private async join(tx: Tx, { id, teamId, role }: Invited, userId: string): Promise<void> {
    await this.teams.lock(tx, teamId);
    await this.members.add(tx, { teamId, userId, role });
    await this.invitations.accept(tx, id);
  }

  private async begin(tx: Tx, { teamId }: Invited, userId: string, browser: Browser): Promise<string> {
    await this.sessions.endToken(tx, browser.token);
    return this.sessions.start(tx, { userId, teamId }, browser.userAgent);
  }
}
