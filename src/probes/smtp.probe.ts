import { Type } from 'class-transformer';
import { ArrayMaxSize, IsEmail, IsIn, IsObject, IsOptional, ValidateNested } from 'class-validator';
import { type Assertion, type AssertionSource } from '../domain/assertions.js';
import { type ProbeOutcome } from '../domain/check-result.js';
import { AssertionDto, AssertionList, CONNECTION_SOURCES } from './assertion.dto.js';
import { LOGIN_FORM, LoginSettings, NO_LOGIN, PASSWORD_PATH, withoutLonePassword } from './database-fields.dto.js';
import { SecureEndpointFields } from './endpoint-fields.dto.js';
import { shownEndpoint } from './host.rules.js';
import { converse } from './net/conversation.js';
import { observe } from './observation.js';
import { type ProbeContext, type ProbeDefinition } from './probe.js';
import { hostField, VERIFY_TLS } from './probe-form.js';
import { MayBeLeftOut, requires, Rule } from './rule.decorator.js';
import { envelope, greet, signIn } from './smtp/smtp-session.js';

export const SECURITIES = ['none', 'starttls', 'tls'] as const;
const PORTS = { none: 25, starttls: 587, tls: 465 } as const;

/** An assertion about an SMTP check. */
export class SmtpAssertion extends AssertionDto {
  static override readonly sources: readonly AssertionSource[] = [...CONNECTION_SOURCES, 'textBody'];
  static override readonly example: Assertion = { source: 'textBody', comparison: 'contains', target: 'ESMTP' };
}

/** How far a check goes. */
export class SmtpSettings extends LoginSettings {
  /**
   * `starttls` changes to TLS by command, `tls` uses it from the first byte, `none` does without.
   * @example "starttls"
   */
  @MayBeLeftOut()
  @IsIn(SECURITIES)
  security?: (typeof SECURITIES)[number];

  /**
   * The sender for whom the server must accept a message. Null to leave out the envelope. No message is sent.
   * @example "monitoring@example.com"
   */
  @IsOptional()
  @IsEmail()
  from?: string | null;

  /**
   * The recipient for whom the server must accept a message from `from`, which it requires. Null for none.
   * @example "postmaster@example.com"
   */
  @IsOptional()
  @IsEmail()
  @Rule('invalid_value', requires('from'), 'withFrom')
  to?: string | null;
}

/** The fields of a monitor of type `smtp`. */
export class SmtpFields extends SecureEndpointFields {
  /** Classes of nested members, for the documentation. */
  static readonly models = [SmtpAssertion, SmtpSettings];

  /**
   * How far the check goes: by default, the server only has to greet.
   * @example { "security": "starttls", "username": "monitoring", "password": "correct horse", "from": null, "to": null }
   */
  @MayBeLeftOut()
  @IsObject()
  @ValidateNested()
  @Type(() => SmtpSettings)
  settings?: SmtpSettings;

  /** At most 20 assertions. `textBody` is the text of the greeting. */
  @ArrayMaxSize(20)
  @AssertionList(() => SmtpAssertion)
  assertions?: SmtpAssertion[];
}

const defaults = {
  verifyTls: true,
  settings: { ...NO_LOGIN, security: 'none' as const, from: null, to: null },
  assertions: [],
};

export const smtpProbe: ProbeDefinition<SmtpFields> = {
  type: 'smtp',
  label: 'SMTP',
  summary: 'Connects to a mail server and optionally starts TLS, signs in, and offers an envelope without a message.',
  example: { key: 'mail-server', name: 'Mail server', host: 'mail.example.com', settings: { security: 'starttls' } },
  fields: SmtpFields,
  defaults,
  form: {
    gist: 'A mail server',
    essential: [
      hostField('A name or an IP address.'),
      { pointer: '/port', label: 'Port', kind: 'integer', help: 'Default: 25, 587 with STARTTLS, 465 with TLS.' },
      {
        pointer: '/settings/security',
        label: 'Security',
        kind: 'text',
        choices: [
          { value: 'none', label: 'None' },
          { value: 'starttls', label: 'STARTTLS' },
          { value: 'tls', label: 'TLS' },
        ],
      },
    ],
    request: [
      ...LOGIN_FORM,
      { pointer: '/settings/from', label: 'Sender', kind: 'text', help: 'To offer an envelope. No message is sent.' },
      { pointer: '/settings/to', label: 'Recipient', kind: 'text', help: 'Of the envelope.' },
      VERIFY_TLS,
    ],
    sources: SmtpAssertion.sources,
  },
  target: (fields) => shownEndpoint(fields.host, portOf(fields)),
  hosts: ({ host }) => [{ pointer: '/host', host }],
  secretPaths: () => [PASSWORD_PATH],
  secretScope: ({ host }) => host,
  complete: (fields) => ({ ...withoutLonePassword(fields), port: portOf(fields) }),
  probe: checkSmtp,
};

function portOf({ port, settings }: SmtpFields): number {
  return port ?? PORTS[settings?.security ?? 'none'];
}

function checkSmtp(fields: SmtpFields, context: ProbeContext): Promise<ProbeOutcome> {
  const { host, verifyTls = true, settings = defaults.settings, assertions = [] } = fields;
  const { security, username, password, from, to } = settings;
  const tls = { verifyTls };
  const peer = { host, port: portOf(fields), tls: security === 'tls' ? tls : null };
  return observe(assertions, context, (seen) =>
    converse(peer, seen, context, async (conversation) => {
      const secure = security === 'starttls' ? () => conversation.secure(tls) : null;
      const { greeting, extensions } = await greet(conversation, secure);
      if (username != null) await signIn(conversation, extensions, username, password ?? '');
      if (from != null) await envelope(conversation, from, to ?? null);
      conversation.leaveWith('QUIT\r\n');
      return { body: greeting };
    }),
  );
}
