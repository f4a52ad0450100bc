import { ArrayMaxSize, ArrayNotEmpty, ArrayUnique, IsArray, IsEmail, IsString, MaxLength } from 'class-validator';
import { isTimeZone, TIME_ZONE_RULE } from '../domain/time-zone.js';
import { MayBeLeftOut, Rule } from '../probes/rule.decorator.js';
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

  /**
   * Name of the IANA time zone in which the mails give times.
   * @example "Europe/Berlin"
   */
  @MayBeLeftOut()
  @IsString()
  @MaxLength(100)
  @Rule('invalid_value', (value) => (isTimeZone(value) ? null : TIME_ZONE_RULE), 'timezone')
  timezone?: string;
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
  defaults: { timezone: 'UTC' },
  form: {
    gist: 'One or more mailboxes',
    essential: [
      { pointer: '/to', label: 'To', kind: 'list', required: true, help: 'Comma-separated addresses, at most 20.' },
    ],
    advanced: [
      {
        pointer: '/timezone',
        label: 'Time zone',
        kind: 'text',
        help: 'Of the times in the mails: an IANA name, such as Europe/Berlin. Default: UTC.',
      },
    ],
  },
  secretPaths: () => [],
  secretScope: () => '',
  hosts: () => [],
  timeZone: ({ timezone }) => timezone,
  async send(message, { to }, { mail, deadline }) {
    if (mail === null) {
      const error = 'The operator has not configured a mail server (SMTP_URL).';
      return { status: 'failed', permanent: true, retryAfterMs: null, statusCode: null, error };
    }
    return mail.send(alertMail(message, to), deadline);
  },
};
