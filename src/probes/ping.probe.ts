import { ArrayMaxSize, IsString } from 'class-validator';
import { type Assertion, type AssertionSource } from '../domain/assertions.js';
import { type ProbeOutcome } from '../domain/check-result.js';
import { AssertionDto, AssertionList } from './assertion.dto.js';
import { hostProblem } from './host.rules.js';
import { isIpLiteral } from './net/host-literal.js';
import { observe } from './observation.js';
import { echo, NO_PING_TOOL } from './ping/echo.js';
import { findPingTool } from './ping/ping-tool.js';
import { type ProbeContext, type ProbeDefinition } from './probe.js';
import { hostField } from './probe-form.js';
import { Rule } from './rule.decorator.js';

/** An assertion about a ping check. */
export class PingAssertion extends AssertionDto {
  static override readonly sources: readonly AssertionSource[] = ['responseTimeMs'];
  static override readonly example: Assertion = { source: 'responseTimeMs', comparison: 'lessThan', target: 250 };
}

/** The fields of a monitor of type `ping`. */
export class PingFields {
  /** Classes of nested members, for the documentation. */
  static readonly models = [PingAssertion];

  /**
   * Host name or IP address. If a name has several addresses, the first one is pinged.
   * @example "gateway.example.com"
   */
  @IsString()
  @Rule('invalid_value', hostProblem, 'host')
  host: string;

  /** At most 20 assertions about the reply; the only source is `responseTimeMs`, the round-trip time. */
  @ArrayMaxSize(20)
  @AssertionList(() => PingAssertion)
  assertions?: PingAssertion[];
}

export const pingProbe: ProbeDefinition<PingFields> = {
  type: 'ping',
  label: 'Ping',
  summary: 'Sends one ICMP echo request; passes if it is answered. The response time is the round-trip time.',
  example: { key: 'checkout-host', name: 'Checkout host', host: 'example.com' },
  fields: PingFields,
  defaults: { assertions: [] },
  form: {
    gist: 'A host that answers',
    essential: [hostField('A name or an IP address.')],
    sources: PingAssertion.sources,
  },
  unavailable: () => (findPingTool() ? null : NO_PING_TOOL),
  target: ({ host }) => host,
  hosts: ({ host }) => [{ pointer: '/host', host }],
  secretPaths: () => [],
  secretScope: ({ host }) => host,
  probe: checkPing,
};

function checkPing({ host, assertions = [] }: PingFields, context: ProbeContext): Promise<ProbeOutcome> {
  const { egress, deadline, timeoutMs } = context;
  return observe(assertions, context, async (seen) => {
    const [address = ''] = await egress.resolve(host, deadline);
    if (!isIpLiteral(host)) seen.clock.lap('dnsMs');
    // Measured by the ping program itself, because starting it can take longer than the round trip.
    seen.responseTimeMs = seen.clock.note('firstByteMs', await echo(address, timeoutMs, deadline));
    seen.remoteAddress = address;
    return {};
  });
}
