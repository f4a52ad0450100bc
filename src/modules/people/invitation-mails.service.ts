import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { type Delivery } from '../../channels/delivery.js';
import { type Letter } from '../../channels/mail/letter.js';
import { DAY_MS } from '../../domain/durations.js';
import { OperatorMail } from '../mail/operator-mail.service.js';
import { type CreatedInvitation, InvitationsService } from '../teams/invitations.service.js';
import { type SignedIn } from './signed-in.types.js';

/** How long a page waits for the mail server. The attempt itself may take longer. */
const WAIT_MS = 4_000;
/** Invitations that are mailed to an address, and for a person, in 24 hours, including those not mailed. */
const MAX_TO_ADDRESS = 5;
const MAX_BY_PERSON = 100;

/** Whether an invitation was mailed. It is valid in any case. */
export type MailedInvitation =
  | { status: 'sent' }
  /** The mail server has not answered yet. */
  | { status: 'sending' }
  | { status: 'failed'; error: string };

/** Mails invitations to the people they are for. */
@Injectable()
export class InvitationMails {
  private readonly logger = new Logger(InvitationMails.name);

  constructor(
    private readonly mail: OperatorMail,
    private readonly invitations: InvitationsService,
  ) {}

  get canSend(): boolean {
    return this.mail.canSend;
  }

  /**
   * Mails an invitation that was just created, if it has an address and there is a mail server; otherwise returns null.
   * Waits 4 s at most. Nobody can flood a mailbox: further invitations of the day are not mailed. Does not throw if they
   * cannot be counted, because the caller alone knows the link.
   */
  async send(who: SignedIn, invitation: CreatedInvitation, link: string): Promise<MailedInvitation | null> {
    const { email } = invitation;
    if (email === null || !this.mail.canSend) return null;
    const refusal = await this.refusalOf(who, email);
    if (refusal !== null) return failed(refusal);
    const isAnswered = new AbortController();
    const attempt = this.mail.send(letterOf(who, email, invitation, link)).then((delivery) => this.outcomeOf(delivery));
    const waited = delay(WAIT_MS, SENDING, { signal: isAnswered.signal }).catch(() => SENDING);
    try {
      return await Promise.race([attempt, waited]);
    } finally {
      isAnswered.abort();
    }
  }

  /** Returns why a further invitation is not mailed; null if it is. */
  private async refusalOf(who: SignedIn, email: string): Promise<string | null> {
    try {
      const { toEmail, byPerson } = await this.invitations.countSince(Date.now() - DAY_MS, email, who);
      if (toEmail > MAX_TO_ADDRESS) return 'This address was sent too many invitations within 24 hours.';
      return byPerson > MAX_BY_PERSON ? 'You have sent too many invitations within 24 hours.' : null;
    } catch (error) {
      this.logger.error('could not count the invitations of the last 24 hours', error);
      return 'The database could not be read.';
    }
  }

  private outcomeOf(delivery: Delivery): MailedInvitation {
    if (delivery.status === 'sent') return { status: 'sent' };
    this.logger.warn(`could not mail an invitation: ${delivery.error}`);
    return failed(delivery.error);
  }
}

const SENDING = { status: 'sending' } as const;

function failed(error: string): MailedInvitation {
  return { status: 'failed', error };
}

function letterOf(who: SignedIn, to: string, { role, expiresAt }: CreatedInvitation, link: string): Letter {
  const article = role === 'viewer' ? 'a' : 'an';
  return {
    to,
    subject: `Join ${who.teamName} on Daywatch`,
    paragraphs: [
      `${who.name} (${who.email}) has invited you to join the team ${who.teamName} on Daywatch as ${article} ${role}.`,
    ],
    link: { label: 'Accept the invitation', url: link },
    notes: [
      `The link can be used once, until ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
      'If you did not expect this invitation, you can ignore this email.',
    ],
  };
}
