import { ArrayMaxSize, ArrayNotEmpty, ArrayUnique, IsArray, IsEmail, IsString, MaxLength } from 'class-validator';
import { type ChannelDefinition } from './channel.js';
import { alertMail } from './mail/alert-mail.js';

/** The settings of a channel of type `email`. */
export class EmailFields {
  /**
   * Addresses of the recipients, 1 to 20. All of them get the same mail.
   * @example ["ops@example.com"]
   */
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(20)
  @ArrayUnique()
  @IsString({ each: true })
  @MaxLength(254, { each: true })
  @IsEmail({}, { each: true })
  to: string[];
}

/**
 * Sends mail through the operator's server. The mails of an alert are one thread, and a repeated mail has the same
 * Message-ID.
 * @see https://www.rfc-editor.org/rfc/rfc5322#section-3.6.4
 */
export const emailChannel: ChannelDefinition<EmailFields> = {
  type: 'email',
  label: 'Email',
  summary: 'Sends email as text and HTML through the mail server of the operator, with one thread per incident.',
  audience: 'people',
  needsMail: true,
  example: { key: 'email-ops', name: 'Operations mailbox', settings: { to: ['ops@example.com'] } },
  fields: EmailFields,
  defaults: {},
  form: {
    gist: 'One or more mailboxes',
    essential: [
      { pointer: '/to', label: 'To', kind: 'list', required: true, help: 'Comma-separated addresses, at most 20.' },
    ],
  },
  secretPaths: () => [],
  secretScope: () => '',
  hosts: () => [],
  async send(message, { to }, { mail, deadline }) {
    if (mail === null) {
      const error = 'The operator has not configured a mail server (SMTP_URL).';
      return { status: 'failed', permanent: true, retryAfterMs: null, statusCode: null, error };
    }
    return mail.send(alertMail(message, to), deadline);
  },
};
