import { Type } from 'class-transformer';
import { ArrayMaxSize, IsInt, IsObject, IsString, Max, Min, ValidateNested } from 'class-validator';
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
import { MayBeLeftOut, Rule } from './rule.decorator.js';

/** An assertion about a ping check. */
export class PingAssertion extends AssertionDto {
  static override readonly sources: readonly AssertionSource[] = ['responseTimeMs', 'packetLossPercent', 'jitterMs'];
  static override readonly example: Assertion = { source: 'responseTimeMs', comparison: 'lessThan', target: 250 };
}

/** How often a check asks. */
export class PingSettings {
  /**
   * Number of echo requests, 1 to 10. The check passes if at least one is answered.
   * @example 5
   */
  @MayBeLeftOut()
  @IsInt()
  @Min(1)
  @Max(10)
  count?: number;
}

/** The fields of a monitor of type `ping`. */
export class PingFields {
  /** Classes of nested members, for the documentation. */
  static readonly models = [PingAssertion, PingSettings];

  /**
   * Host name or IP address. If a name has several addresses, the first one is pinged.
   * @example "gateway.example.com"
   */
  @IsString()
  @Rule('invalid_value', hostProblem, 'host')
  host: string;

  /**
   * How many echo requests are sent, 200 ms apart or faster if the timeout requires it. By default one. If the timeout
   * is too short for that many, fewer are sent.
   * @example { "count": 5 }
   */
  @MayBeLeftOut()
  @IsObject()
  @ValidateNested()
  @Type(() => PingSettings)
  settings?: PingSettings;

  /**
   * At most 20 assertions about the replies. `responseTimeMs` is the average round-trip time, `packetLossPercent` the
   * share of sent requests without a reply, and `jitterMs` the average difference between successive round-trip times.
   */
  @ArrayMaxSize(20)
  @AssertionList(() => PingAssertion)
  assertions?: PingAssertion[];
}

export const pingProbe: ProbeDefinition<PingFields> = {
  type: 'ping',
  label: 'Ping',
  summary: 'Sends ICMP echo requests; passes if one is answered. The response time is the round-trip time.',
  example: { key: 'checkout-host', name: 'Checkout host', host: 'example.com' },
  fields: PingFields,
  defaults: { settings: { count: 1 }, assertions: [] },
  form: {
    gist: 'A host that answers',
    essential: [hostField('A name or an IP address.')],
    request: [
      {
        pointer: '/settings/count',
        label: 'Echo requests',
        kind: 'integer',
        help: '1 to 10. Several are needed to measure packet loss and jitter.',
        brief: (texts) => `${texts('count') || '1'} echo request${texts('count') > '1' ? 's' : ''}`,
      },
    ],
    sources: PingAssertion.sources,
  },
  unavailable: () => (findPingTool() ? null : NO_PING_TOOL),
  target: ({ host }) => host,
  hosts: ({ host }) => [{ pointer: '/host', host }],
  secretPaths: () => [],
  secretScope: ({ host }) => host,
  probe: checkPing,
};

function checkPing({ host, settings, assertions = [] }: PingFields, context: ProbeContext): Promise<ProbeOutcome> {
  const { egress, deadline, timeoutMs } = context;
  const endsAt = performance.now() + timeoutMs;
  return observe(assertions, context, async (seen) => {
    const [address = ''] = await egress.resolve(host, deadline);
    if (!isIpLiteral(host)) seen.clock.lap('dnsMs');
    const leftMs = endsAt - performance.now();
    const { sent, roundTripsMs } = await echo(address, settings?.count ?? 1, leftMs, deadline);
    // Measured by the ping program itself, because starting it can take longer than the round trip.
    seen.responseTimeMs = seen.clock.note('firstByteMs', average(roundTripsMs));
    seen.remoteAddress = address;
    const packetLossPercent = Math.round((1 - roundTripsMs.length / sent) * 1_000) / 10;
    return { packetLossPercent, jitterMs: jitterOf(roundTripsMs) };
  });
}

/** Returns the average difference between successive times with one decimal; `null` for a single one. */
function jitterOf(timesMs: readonly number[]): number | null {
  const differences = timesMs.slice(1).map((ms, index) => Math.abs(ms - timesMs[index]!));
  return differences.length === 0 ? null : Math.round(average(differences) * 10) / 10;
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
