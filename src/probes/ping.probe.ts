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

/** One expectation of a ping. */
export class PingAssertion extends AssertionDto {
  static override readonly sources: readonly AssertionSource[] = ['responseTimeMs'];
  static override readonly example: Assertion = { source: 'responseTimeMs', comparison: 'lessThan', target: 250 };
}

/** The fields of a monitor of type `ping`. */
export class PingFields {
  /** For the documentation: the classes of nested members. */
  static readonly models = [PingAssertion];

  /**
   * Host name or IP address. Of a name with several addresses the first one is pinged.
   * @example "gateway.example.com"
   */
  @IsString()
  @Rule('invalid_value', hostProblem, 'host')
  host: string;

  /** What must hold of the reply, at most 20 expectations; the only source is `responseTimeMs`, the round trip. */
  @ArrayMaxSize(20)
  @AssertionList(() => PingAssertion)
  assertions?: PingAssertion[];
}

export const pingProbe: ProbeDefinition<PingFields> = {
  type: 'ping',
  label: 'Ping',
  summary: 'Sends one ICMP echo and passes when it is answered; the response time is the round trip alone.',
  example: { key: 'checkout-host', name: 'Checkout host', host: 'example.com' },
  fields: PingFields,
  defaults: { assertions: [] },
  form: { essential: [hostField('A name or an IP address.')], sources: PingAssertion.sources },
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
    // By the program's own clock: starting it takes longer than many a round trip.
    seen.responseTimeMs = seen.clock.note('firstByteMs', await echo(address, timeoutMs, deadline));
    seen.remoteAddress = address;
    return {};
  });
}
