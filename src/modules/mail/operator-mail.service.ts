import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { SEND_TIMEOUT_MS } from '../../channels/channel.js';
import { type Delivery } from '../../channels/delivery.js';
import { letterMail, type Letter } from '../../channels/mail/letter.js';
import { type Mailer } from '../../channels/mail/mailer.js';
import { createSmtpMailer } from '../../channels/mail/smtp-mailer.js';
import { AppConfig } from '../../config/app-config.js';
import { Deadline } from '../../probes/deadline.js';

/** Maximum number of letters that are being sent. Each has a connection, and a slow server holds it for 10 s. */
const MAX_SENDING = 50;

/** The operator's mail server (`SMTP_URL`), and the letters that the service itself sends to people. */
@Injectable()
export class OperatorMail implements OnModuleDestroy {
  /** Null if the operator has not configured a mail server. */
  readonly mailer: Mailer | null;
  private readonly sending = new Set<Promise<unknown>>();

  constructor(config: AppConfig) {
    const [url, from] = [config.get('SMTP_URL'), config.get('MAIL_FROM')];
    this.mailer = url === null || from === null ? null : createSmtpMailer({ url, from });
  }

  get canSend(): boolean {
    return this.mailer !== null;
  }

  /** Waits for the letters that are being sent. */
  async onModuleDestroy(): Promise<void> {
    await Promise.allSettled(this.sending);
  }

  /**
   * Makes one attempt to send a letter, within 10 s. Never rejects because of the server or the recipient. A stop of
   * the service waits for the attempt.
   */
  async send(letter: Letter): Promise<Delivery> {
    if (this.mailer === null) return failed('No mail server is configured.', true);
    if (this.sending.size >= MAX_SENDING) return failed('Too many mails are being sent at once.', false);
    const deadline = new Deadline();
    const timer = setTimeout(() => deadline.end(), SEND_TIMEOUT_MS);
    const attempt = this.mailer.send(letterMail(letter), deadline);
    this.sending.add(attempt);
    try {
      return await attempt;
    } finally {
      clearTimeout(timer);
      this.sending.delete(attempt);
    }
  }
}

function failed(error: string, permanent: boolean): Delivery {
  return { status: 'failed', permanent, retryAfterMs: null, statusCode: null, error };
}
