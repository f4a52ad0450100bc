import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type Delivery } from '../../channels/delivery.js';
import { letterMail, type Letter } from '../../channels/mail/letter.js';
import { type Mailer } from '../../channels/mail/mailer.js';
import { createSmtpMailer } from '../../channels/mail/smtp-mailer.js';
import { AppConfig } from '../../config/app-config.js';
import { MailAttempts } from './mail-attempts.js';

/** The operator's mail server (`SMTP_URL`), and the letters that the service itself sends to people. */
@Injectable()
export class OperatorMail implements OnModuleDestroy {
  /** Null if the operator has not configured a mail server. */
  readonly mailer: Mailer | null;
  private readonly attempts: MailAttempts;

  constructor(config: AppConfig) {
    const [url, from] = [config.get('SMTP_URL'), config.get('MAIL_FROM')];
    this.mailer = url === null || from === null ? null : createSmtpMailer({ url, from });
    this.attempts = new MailAttempts(this.mailer);
  }

  get canSend(): boolean {
    return this.mailer !== null;
  }

  /** Waits for the letters that are being sent. */
  onModuleDestroy(): Promise<void> {
    return this.attempts.settled();
  }

  /**
   * Makes one attempt to send a letter, within 10 s. Never rejects because of the server or the recipient. A stop of
   * the service waits for the attempt.
   */
  send(letter: Letter): Promise<Delivery> {
    return this.attempts.send(letterMail(letter));
  }
}
