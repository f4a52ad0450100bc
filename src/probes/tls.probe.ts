import { Type } from 'class-transformer';
import { type X509Certificate } from 'node:crypto';
import {
  ArrayMaxSize,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { type Assertion, type AssertionSource } from '../domain/assertions.js';
import { type ProbeOutcome } from '../domain/check-result.js';
import { choicesOf } from '../domain/form-field.js';
import { AssertionDto, AssertionList } from './assertion.dto.js';
import { hostProblem, shownEndpoint } from './host.rules.js';
import { converse } from './net/conversation.js';
import { observe } from './observation.js';
import { type ProbeContext, type ProbeDefinition } from './probe.js';
import { hostField, VERIFY_TLS } from './probe-form.js';
import { MayBeLeftOut, Rule } from './rule.decorator.js';
import { judgeCertificate, OCSP_MODES, type OcspMode, type Presented } from './tls/judge-certificate.js';
import { START_TLS, START_TLS_PROTOCOLS, type StartTlsProtocol } from './start-tls/start-tls.js';

/** An assertion about a TLS check. */
export class TlsAssertion extends AssertionDto {
  static override readonly sources: readonly AssertionSource[] = [
    'tlsDaysLeft',
    'tlsProtocol',
    'certificateFingerprint',
    'responseTimeMs',
  ];
  static override readonly example: Assertion = { source: 'tlsDaysLeft', comparison: 'greaterThan', target: 14 };
}

/** How the connection changes to TLS, and what else is expected of the certificate. */
export class TlsSettings {
  /**
   * The protocol whose command changes the connection to TLS. Null if the server uses TLS from the first byte.
   * @example "smtp"
   */
  @IsOptional()
  @IsIn(START_TLS_PROTOCOLS)
  startTls?: StartTlsProtocol | null;

  /**
   * The least security strength of the key of the certificate, in bits (NIST SP 800-57): RSA keys of 2,048 bits have 112;
   * RSA keys of 3,072 bits, P-256 and Ed25519 have 128; P-384 has 192. Null for any.
   * @example 112
   */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(256)
  minKeyStrength?: number | null;

  /**
   * What the server must prove about the revocation of its certificate, with a response that it sends in the handshake
   * (OCSP stapling). `check`: if there is a response, it must be valid. `require`: there must be one. Null to not ask for
   * it.
   * @example "check"
   */
  @IsOptional()
  @IsIn(OCSP_MODES)
  ocsp?: OcspMode | null;
}

/** The fields of a monitor of type `tls`. */
export class TlsFields {
  /** Classes of nested members, for the documentation. */
  static readonly models = [TlsAssertion, TlsSettings];

  /**
   * Host name or IP address; the certificate must be issued for it.
   * @example "example.com"
   */
  @IsString()
  @Rule('invalid_value', hostProblem, 'host')
  host: string;

  /**
   * Port, 1 to 65,535. The default is 443, or the usual port of the protocol in `startTls`.
   * @example 443
   */
  @MayBeLeftOut()
  @IsInt()
  @Min(1)
  @Max(65_535)
  port?: number;

  /**
   * Whether the certificate must be trusted, not expired, and issued for the host.
   * @example true
   */
  @MayBeLeftOut()
  @IsBoolean()
  verifyTls?: boolean;

  /**
   * How the connection changes to TLS, and what else is expected of the certificate. By default, the server must use TLS
   * from the first byte.
   * @example { "startTls": null, "minKeyStrength": 112, "ocsp": "check" }
   */
  @MayBeLeftOut()
  @IsObject()
  @ValidateNested()
  @Type(() => TlsSettings)
  settings?: TlsSettings;

  /**
   * At most 20 assertions. `tlsDaysLeft` is the number of whole days until the server's own certificate expires,
   * negative afterwards. With an expired certificate, the check fails before any assertion is evaluated, unless
   * `verifyTls` is false.
   * @example [{ "source": "tlsDaysLeft", "comparison": "greaterThan", "target": 14 }]
   */
  @ArrayMaxSize(20)
  @AssertionList(() => TlsAssertion)
  assertions?: TlsAssertion[];
}

const settings = { startTls: null, minKeyStrength: null, ocsp: null };
const defaults = { verifyTls: true, settings, assertions: [] } satisfies Partial<TlsFields>;

export const tlsProbe: ProbeDefinition<TlsFields> = {
  type: 'tls',
  label: 'TLS certificate',
  summary: 'Performs a full TLS handshake and evaluates the certificate: expiry, trust, host name, days left.',
  example: {
    key: 'checkout-certificate',
    name: 'Checkout certificate',
    host: 'example.com',
    assertions: [TlsAssertion.example],
  },
  fields: TlsFields,
  defaults,
  form: {
    gist: 'A certificate and its expiry',
    essential: [
      hostField('A name or an IP address that the certificate must be valid for.'),
      { pointer: '/port', label: 'Port', kind: 'integer', help: 'Default: 443, or the usual port of the protocol.' },
      {
        pointer: '/settings/startTls',
        label: 'STARTTLS',
        kind: 'text',
        choices: [{ value: '', label: 'No: TLS from the first byte' }, ...choicesOf(START_TLS_PROTOCOLS)],
        help: 'The protocol whose command changes the connection to TLS.',
      },
    ],
    judged: [
      VERIFY_TLS,
      {
        pointer: '/settings/minKeyStrength',
        label: 'Strength of the key, in bits',
        kind: 'integer',
        help: 'At least: 112 for RSA keys of 2,048 bits, 128 for P-256 or RSA keys of 3,072 bits. If empty, any.',
      },
      {
        pointer: '/settings/ocsp',
        label: 'Revocation (OCSP stapling)',
        kind: 'text',
        choices: [
          { value: '', label: 'Not checked' },
          { value: 'check', label: 'Checked if the server sends a response' },
          { value: 'require', label: 'The server must send a response' },
        ],
      },
    ],
    sources: TlsAssertion.sources,
    initialAssertions: [TlsAssertion.example],
  },
  target: (fields) => shownEndpoint(fields.host, portOf(fields)),
  hosts: ({ host }) => [{ pointer: '/host', host }],
  secretPaths: () => [],
  secretScope: ({ host }) => host,
  complete: (fields) => ({ ...fields, port: portOf(fields) }),
  probe: checkTls,
};

function portOf({ port, settings }: TlsFields): number {
  return port ?? (settings?.startTls == null ? 443 : START_TLS[settings.startTls].port);
}

function checkTls(fields: TlsFields, context: ProbeContext): Promise<ProbeOutcome> {
  const { host, verifyTls = true, assertions = [] } = fields;
  const { startTls, ...expected } = { ...settings, ...fields.settings };
  const presented: Presented = { certificate: null, staple: null };
  const onCertificate = (certificate: X509Certificate): void => {
    presented.certificate = certificate;
    context.onCertificate(certificate);
  };
  const onStaple = expected.ocsp === null ? undefined : (staple: Buffer | null) => void (presented.staple = staple);
  const tls = { verifyTls, onStaple };
  const peer = { host, port: portOf(fields), tls: startTls == null ? tls : null };
  return observe(assertions, context, async (seen) => {
    await converse(peer, seen, { ...context, onCertificate }, async (conversation) => {
      if (startTls == null) return;
      await START_TLS[startTls].start(conversation);
      await conversation.secure(tls);
    });
    judgeCertificate(presented, expected, Date.now());
    return {};
  });
}
