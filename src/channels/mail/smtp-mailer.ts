import { type SecureContext } from 'node:tls';
import { createTransport, type NodemailerError, type SMTPSentMessageInfo, type SMTPTransportOptions } from 'nodemailer';
import { type Deadline } from '../../probes/deadline.js';
import { type Delivery } from '../delivery.js';
import { cut, oneLine } from '../plain-text.js';
import { type Mail, type Mailer } from './mailer.js';

export interface SmtpSettings {
  /**
   * `smtp://[user:password@]host[:port]`, which uses STARTTLS where the server offers it, or `smtps://…` for TLS from the
   * start. Credentials are sent over TLS only.
   */
  url: string;
  /** Sender, such as `Daywatch <alerts@example.com>`. */
  from: string;
  /** Trusted root certificates; by default those of Node. */
  trust?: SecureContext;
}

const MAX_ANSWER = 160;

/**
 * Creates a mailer for a server that the operator has named, to which the address rules do not apply. Opens a connection
 * for each mail. Verifies certificates.
 */
export function createSmtpMailer({ url, from, trust }: SmtpSettings): Mailer {
  const options: SMTPTransportOptions = {
    ...serverOf(url),
    ...(trust && { tls: { secureContext: trust } }),
    // Texts of mails must not make this process read files or addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  const transport = createTransport(options);
  const domain = /@([^\s<>@]+)>?\s*$/.exec(from)?.[1] ?? 'daywatch.invalid';
  const idOf = (local: string): string => `<${local.replace(/[^\w.-]/g, '-')}@${domain}>`;
  return {
    async send(mail: Mail, deadline: Deadline): Promise<Delivery> {
      const abort = new AbortController();
      const onDeadline = (): void => abort.abort();
      if (deadline.isOver) onDeadline();
      else deadline.on(onDeadline);
      try {
        const thread = mail.threadId === null ? null : idOf(mail.threadId);
        const info = await transport.sendMail({
          from,
          to: mail.to.map((address) => ({ name: '', address })),
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          messageId: idOf(mail.messageId),
          ...(thread !== null && { inReplyTo: thread, references: [thread] }),
          headers: { ...mail.headers },
          signal: abort.signal,
        });
        return partlyRefused(info) ?? { status: 'sent', providerId: info.messageId, statusCode: null };
      } catch (error) {
        return failureOf(error as NodemailerError, deadline);
      } finally {
        deadline.off(onDeadline);
      }
    },
  };
}

/** Returns how to reach and log in to the server that a valid `SMTP_URL` names. */
export function serverOf(
  url: string,
): Pick<SMTPTransportOptions, 'host' | 'port' | 'secure' | 'auth' | 'requireTLS' | 'forceAuth'> {
  const { protocol, username, password, hostname, port } = new URL(url);
  const secure = protocol === 'smtps:';
  const auth = username === '' ? undefined : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    ...(auth && { auth, requireTLS: !secure, forceAuth: true }),
  };
}

/** Returns the failure of a mail that only some recipients get. It is final: a retry would repeat the mail to them. */
function partlyRefused({ rejected }: SMTPSentMessageInfo): Delivery | null {
  if (rejected.length === 0) return null;
  const names = rejected.join(', ');
  return failed(`The mail server refused ${names}; the email was sent to the other recipients.`, true);
}

/** What the codes of failures mean, and whether the words of the server explain it. */
const FAILURES: Readonly<Record<string, { said: string; quotes: boolean }>> = {
  EAUTH: { said: 'The mail server refused the login', quotes: true },
  ENOAUTH: { said: 'The mail server refused the login', quotes: true },
  EENVELOPE: { said: 'The mail server refused the sender or every recipient', quotes: true },
  ETLS: { said: 'A secure connection to the mail server could not be established', quotes: false },
  EDNS: { said: 'The name of the mail server cannot be resolved', quotes: false },
  ECONNECTION: { said: 'The mail server cannot be reached', quotes: false },
  ESOCKET: { said: 'The mail server cannot be reached', quotes: false },
  ETIMEDOUT: { said: 'The mail server cannot be reached', quotes: false },
};

/** Commands whose refusal concerns a recipient or the mail. Other refusals concern the operator's server or account. */
const ABOUT_THE_MAIL: ReadonlySet<string | undefined> = new Set(['RCPT TO', 'DATA']);

/** Returns what a failure means. The server's own words are included: they never contain the password. */
function failureOf(error: NodemailerError, deadline: Deadline): Delivery {
  const { code, command, responseCode, response } = error;
  const words = response === undefined ? '' : cut(oneLine(response), MAX_ANSWER);
  const stated = words === '' ? '.' : `: ${words}`;
  const isPermanent = responseCode !== undefined && responseCode >= 500 && ABOUT_THE_MAIL.has(command);
  if (deadline.isOver) return failed('The mail server did not accept the email within the time limit.', false);
  const known = FAILURES[code ?? ''] ?? { said: 'The mail server did not accept the email', quotes: true };
  return failed(`${known.said}${known.quotes ? stated : '.'}`, isPermanent);
}

function failed(error: string, permanent: boolean): Delivery {
  return { status: 'failed', permanent, retryAfterMs: null, statusCode: null, error };
}
