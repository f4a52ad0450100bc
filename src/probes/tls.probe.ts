import { setImmediate } from 'node:timers/promises';
import { ArrayMaxSize, IsBoolean, IsInt, IsString, Max, Min } from 'class-validator';
import { type Assertion, type AssertionSource } from '../domain/assertions.js';
import { type ProbeOutcome } from '../domain/check-result.js';
import { AssertionDto, AssertionList } from './assertion.dto.js';
import { hostProblem, shownEndpoint } from './host.rules.js';
import { closeSocket } from './net/connection.js';
import { parseHost } from './net/host-literal.js';
import { certificateDaysLeft } from './net/tls.js';
import { observe } from './observation.js';
import { type ProbeContext, type ProbeDefinition } from './probe.js';
import { hostField, VERIFY_TLS } from './probe-form.js';
import { MayBeLeftOut, Rule } from './rule.decorator.js';

/** An assertion about a TLS check. */
export class TlsAssertion extends AssertionDto {
  static override readonly sources: readonly AssertionSource[] = ['tlsDaysLeft', 'responseTimeMs'];
  static override readonly example: Assertion = { source: 'tlsDaysLeft', comparison: 'greaterThan', target: 14 };
}

/** The fields of a monitor of type `tls`. */
export class TlsFields {
  /** Classes of nested members, for the documentation. */
  static readonly models = [TlsAssertion];

  /**
   * Host name or IP address; the certificate must be issued for it.
   * @example "example.com"
   */
  @IsString()
  @Rule('invalid_value', hostProblem, 'host')
  host: string;

  /**
   * Port, 1 to 65,535, which must use TLS from the first byte. The default is 443.
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
   * At most 20 assertions. `tlsDaysLeft` is the number of whole days until the server's own certificate expires,
   * negative afterwards. With an expired certificate, the check fails before any assertion is evaluated, unless
   * `verifyTls` is false.
   * @example [{ "source": "tlsDaysLeft", "comparison": "greaterThan", "target": 14 }]
   */
  @ArrayMaxSize(20)
  @AssertionList(() => TlsAssertion)
  assertions?: TlsAssertion[];
}

const defaults = { port: 443, verifyTls: true, assertions: [] } satisfies Partial<TlsFields>;

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
      { pointer: '/port', label: 'Port', kind: 'integer', help: 'Default: 443.' },
    ],
    judged: [VERIFY_TLS],
    sources: TlsAssertion.sources,
    initialAssertions: [TlsAssertion.example],
  },
  target: ({ host, port }) => shownEndpoint(host, port ?? defaults.port),
  hosts: ({ host }) => [{ pointer: '/host', host }],
  secretPaths: () => [],
  secretScope: ({ host }) => host,
  probe: (fields, context) => checkTls({ ...defaults, ...fields }, context),
};

function checkTls(fields: Required<TlsFields>, context: ProbeContext): Promise<ProbeOutcome> {
  const { egress, deadline, onCertificate } = context;
  const { host, port, verifyTls, assertions } = fields;
  const meaning = parseHost(host);
  return observe(assertions, context, async (seen) => {
    const addresses = await egress.resolve(host, deadline);
    if (meaning.kind === 'name') seen.clock.lap('dnsMs');
    const { socket, address } = await egress.connect(addresses, port, deadline);
    seen.clock.lap('connectMs');
    seen.remoteAddress = address;
    try {
      const server = { host: meaning.kind === 'name' ? meaning.name : address, verify: verifyTls, onCertificate };
      const secured = await egress.secure(socket, server, deadline);
      seen.clock.lap('tlsMs');
      seen.responseTimeMs = seen.clock.elapsedMs();
      const asked = assertions.some(({ source }) => source === 'tlsDaysLeft');
      return asked ? { tlsDaysLeft: certificateDaysLeft(secured) } : {};
    } finally {
      // This runs inside OpenSSL's handshake. Only after it, the last message is sent and closing is safe.
      await setImmediate();
      // Closes the plain socket, because only that one can be reset. The TLS socket on top of it closes with it.
      closeSocket(socket);
    }
  });
}
