import { Injectable, Logger } from '@nestjs/common';
import { type Tx } from '../../database/tx.js';
import { personActor } from '../../http/auth/actor.js';
import { EventLog } from '../events/event-log.service.js';
import { OperatorMail } from '../mail/operator-mail.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { type Membership } from '../teams/members.service.js';
import { type UserSummary } from '../users/users.service.js';
import { personEvents } from './person-events.js';
import { ResetLinks } from './reset-links.service.js';

/** How a password was set. */
export interface PasswordChange {
  method: 'account' | 'reset';
  memberships: readonly Membership[];
  /** The session that does not end. */
  but?: string;
}

/** What follows from a new password, however it was set. */
@Injectable()
export class PasswordChanges {
  private readonly logger = new Logger(PasswordChanges.name);

  constructor(
    private readonly sessions: SessionsService,
    private readonly links: ResetLinks,
    private readonly events: EventLog,
    private readonly mail: OperatorMail,
  ) {}

  /**
   * Ends the sessions of the person, except `but`; voids the links with which the password could be set again; and
   * records the change in each of their teams. Called after the password is stored.
   */
  async settle(tx: Tx, user: UserSummary, { memberships, method, but }: PasswordChange): Promise<void> {
    await this.sessions.endAll(tx, user.id, but);
    await this.links.voidAll(tx, user.id);
    const actor = personActor(user.id, user.name);
    await this.events.record(
      tx,
      personEvents('person.password_changed', user, memberships, { actor, data: { method } }),
    );
  }

  /** Lets the person know by mail, if there is a mail server, in case it was somebody else. Does not wait for it. */
  announce({ email }: UserSummary): void {
    if (!this.mail.canSend) return;
    const letter = {
      to: email,
      subject: 'Your Daywatch password was changed',
      paragraphs: [
        `The password of the Daywatch account ${email} was changed. Other sessions of the account have ended.`,
      ],
      link: null,
      notes: ['If you did not change it, reset the password and inform an owner of your team.'],
    };
    void this.mail.send(letter).then((delivery) => {
      if (delivery.status === 'failed')
        this.logger.warn(`could not mail that a password was changed: ${delivery.error}`);
    });
  }
}
