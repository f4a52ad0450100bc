import { SEND_TIMEOUT_MS } from '../../channels/channel.js';
import { type Delivery } from '../../channels/delivery.js';
import { type Mail, type Mailer } from '../../channels/mail/mailer.js';
import { Deadline } from '../../probes/deadline.js';

/** Maximum number of mails that are being sent. Each has a connection, and a slow server holds it for 10 s. */
const MAX_SENDING = 50;

/** Makes attempts to send mails, each within 10 s, at most 50 at the same time. */
export class MailAttempts {
  private readonly sending = new Set<Promise<unknown>>();

  /** @param mailer null if the operator has not configured a mail server */
  constructor(private readonly mailer: Mailer | null) {}

  /** Makes one attempt to send a mail. Never rejects because of the server or the recipient. */
  async send(mail: Mail): Promise<Delivery> {
    if (this.mailer === null) return failed('No mail server is configured.', true);
    if (this.sending.size >= MAX_SENDING) return failed('Too many emails are being sent at once.', false);
    const deadline = new Deadline();
    const timer = setTimeout(() => deadline.end(), SEND_TIMEOUT_MS);
    const attempt = this.mailer.send(mail, deadline);
    this.sending.add(attempt);
    try {
      return await attempt;
    } finally {
      clearTimeout(timer);
      this.sending.delete(attempt);
    }
  }

  /** Waits for the mails that are being sent. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.sending);
  }
}

function failed(error: string, permanent: boolean): Delivery {
  return { status: 'failed', permanent, retryAfterMs: null, statusCode: null, error };
}
