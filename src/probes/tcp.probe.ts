import { IsInt, IsString, ArrayMaxSize, Max, Min } from 'class-validator';
import { type Assertion, type AssertionSource } from '../domain/assertions.js';
import { type ProbeOutcome } from '../domain/check-result.js';
import { AssertionDto, AssertionList } from './assertion.dto.js';
import { hostProblem, shownEndpoint } from './host.rules.js';
import { closeSocket } from './net/connection.js';
import { isIpLiteral } from './net/host-literal.js';
import { observe } from './observation.js';
import { type ProbeContext, type ProbeDefinition } from './probe.js';
import { hostField } from './probe-form.js';
import { Rule } from './rule.decorator.js';

/** An assertion about a TCP check. */
export class TcpAssertion extends AssertionDto {
  static override readonly sources: readonly AssertionSource[] = ['responseTimeMs'];
  static override readonly example: Assertion = { source: 'responseTimeMs', comparison: 'lessThan', target: 250 };
}

/** The fields of a monitor of type `tcp`. */
export class TcpFields {
  /** Classes of nested members, for the documentation. */
  static readonly models = [TcpAssertion];

  /**
   * Host name or IP address.
   * @example "db.example.com"
   */
  @IsString()
  @Rule('invalid_value', hostProblem, 'host')
  host: string;

  /**
   * Port, 1 to 65,535.
   * @example 5432
   */
  @IsInt()
  @Min(1)
  @Max(65_535)
  port: number;

  /** At most 20 assertions about the connection; the only source is `responseTimeMs`. */
  @ArrayMaxSize(20)
  @AssertionList(() => TcpAssertion)
  assertions?: TcpAssertion[];
}

export const tcpProbe: ProbeDefinition<TcpFields> = {
  type: 'tcp',
  label: 'TCP port',
  summary: 'Connects to a TCP port and closes the connection immediately; passes if the connection was accepted.',
  example: { key: 'checkout-port', name: 'Checkout port', host: 'example.com', port: 443 },
  fields: TcpFields,
  defaults: { assertions: [] },
  form: {
    gist: 'A port that accepts connections',
    essential: [
      hostField('A name or an IP address.'),
      { pointer: '/port', label: 'Port', kind: 'integer', required: true, help: '1 to 65,535.' },
    ],
    sources: TcpAssertion.sources,
  },
  target: ({ host, port }) => shownEndpoint(host, port),
  hosts: ({ host }) => [{ pointer: '/host', host }],
  secretPaths: () => [],
  secretScope: ({ host }) => host,
  probe: checkTcp,
};

function checkTcp({ host, port, assertions = [] }: TcpFields, context: ProbeContext): Promise<ProbeOutcome> {
  return observe(assertions, context, async (seen) => {
    const addresses = await context.egress.resolve(host, context.deadline);
    if (!isIpLiteral(host)) seen.clock.lap('dnsMs');
    const { socket, address } = await context.egress.connect(addresses, port, context.deadline);
    closeSocket(socket);
    seen.clock.lap('connectMs');
    seen.remoteAddress = address;
    seen.responseTimeMs = seen.clock.elapsedMs();
    return {};
  });
}
