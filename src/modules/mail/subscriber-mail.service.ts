import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type Delivery } from '../../channels/delivery.js';
import { type Mail } from '../../channels/mail/mailer.js';
import { createSmtpMailer } from '../../channels/mail/smtp-mailer.js';
import { AppConfig } from '../../config/app-config.js';
import { MailAttempts } from './mail-attempts.js';

/**
 * Sends mail to subscribers of status pages, from an address of its own (`SUBSCRIBER_MAIL_FROM`) and on connections of
 * its own, so that mail to the team never waits for it.
 */
@Injectable()
export class SubscriberMail implements OnModuleDestroy {
  /** Whether the operator has configured a mail server. */
  readonly canSend: boolean;
  private readonly attempts: MailAttempts;

  constructor(config: AppConfig) {
    const [url, from] = [config.get('SMTP_URL'), config.get('SUBSCRIBER_MAIL_FROM') ?? config.get('MAIL_FROM')];
    this.canSend = url !== null && from !== null;
    this.attempts = new MailAttempts(url === null || from === null ? null : createSmtpMailer({ url, from }));
  }

  /** Waits for the mails that are being sent. */
  onModuleDestroy(): Promise<void> {
    return this.attempts.settled();
  }

  /** Makes one attempt to send a mail, within 10 s. Never rejects because of the server or the recipient. */
  send(mail: Mail): Promise<Delivery> {
    return this.attempts.send(mail);
  }
}
