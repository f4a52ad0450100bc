import { Type } from 'class-transformer';
import { ArrayMaxSize, IsInt, IsObject, IsOptional, Max, Min, ValidateNested } from 'class-validator';
import { type Assertion, type AssertionSource } from '../domain/assertions.js';
import { type ProbeOutcome } from '../domain/check-result.js';
import { AssertionDto, AssertionList } from './assertion.dto.js';
import { EndpointFields } from './endpoint-fields.dto.js';
import { shownEndpoint } from './host.rules.js';
import { askByDatagram } from './net/datagram.js';
import { locate } from './net/dial.js';
import { ProbeFault } from './net/probe-fault.js';
import { ntpRequest, type NtpReading, readNtp } from './ntp/ntp-message.js';
import { observe } from './observation.js';
import { type ProbeContext, type ProbeDefinition } from './probe.js';
import { hostField, portField } from './probe-form.js';
import { MayBeLeftOut } from './rule.decorator.js';

const PORT = 123;

/** An assertion about an NTP check. */
export class NtpAssertion extends AssertionDto {
  static override readonly sources: readonly AssertionSource[] = ['responseTimeMs'];
  static override readonly example: Assertion = { source: 'responseTimeMs', comparison: 'lessThan', target: 250 };
}

/** Limits for the time of the server. */
export class NtpSettings {
  /**
   * How far the server's clock may differ from the clock of the machine that runs the check, in milliseconds. The
   * difference is known only to within half of the round-trip time, so the check fails only if it exceeds the limit by
   * more than that. Null for no limit.
   * @example 500
   */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(86_400_000)
  maxOffsetMs?: number | null;

  /**
   * The greatest stratum that passes, 1 to 15: the number of servers between this one and a reference clock.
   * @example 4
   */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(15)
  maxStratum?: number | null;
}

/** The fields of a monitor of type `ntp`. */
export class NtpFields extends EndpointFields {
  /** Classes of nested members, for the documentation. */
  static readonly models = [NtpAssertion, NtpSettings];

  /**
   * Limits for the time of the server. A server that is not synchronized fails in any case.
   * @example { "maxOffsetMs": 500, "maxStratum": 4 }
   */
  @MayBeLeftOut()
  @IsObject()
  @ValidateNested()
  @Type(() => NtpSettings)
  settings?: NtpSettings;

  /** At most 20 assertions about the response; the only source is `responseTimeMs`. */
  @ArrayMaxSize(20)
  @AssertionList(() => NtpAssertion)
  assertions?: NtpAssertion[];
}

const defaults = { port: PORT, settings: { maxOffsetMs: null, maxStratum: null }, assertions: [] };

export const ntpProbe: ProbeDefinition<NtpFields> = {
  type: 'ntp',
  label: 'NTP',
  summary:
    'Queries a time server; passes if it is synchronized, and close enough to the clock of the checking machine.',
  example: { key: 'time-server', name: 'Time server', host: 'ntp.example.com', settings: { maxOffsetMs: 500 } },
  fields: NtpFields,
  defaults,
  form: {
    gist: 'A time server',
    essential: [hostField('A name or an IP address.'), portField(PORT)],
    judged: [
      {
        pointer: '/settings/maxOffsetMs',
        label: 'Greatest offset',
        kind: 'integer',
        help: 'In milliseconds, from the clock of the checking machine.',
      },
      { pointer: '/settings/maxStratum', label: 'Greatest stratum', kind: 'integer', help: '1 to 15.' },
    ],
    sources: NtpAssertion.sources,
  },
  target: ({ host, port = PORT }) => shownEndpoint(host, port),
  hosts: ({ host }) => [{ pointer: '/host', host }],
  secretPaths: () => [],
  secretScope: ({ host }) => host,
  probe: checkNtp,
};

function checkNtp(fields: NtpFields, context: ProbeContext): Promise<ProbeOutcome> {
  const { host, port = PORT, settings = defaults.settings, assertions = [] } = fields;
  const { deadline, timeoutMs } = context;
  return observe(assertions, context, async (seen) => {
    const address = await locate(host, port, seen, context);
    const sent = new Map<string, number>();
    const request = (): Buffer => {
      const { message, nonce } = ntpRequest();
      sent.set(nonce, Date.now());
      return message;
    };
    const ask = { address, port, request, timeoutMs };
    const reading = await askByDatagram(ask, deadline, (response) => readNtp(response, sent, Date.now()));
    seen.clock.lap('firstByteMs');
    seen.responseTimeMs = seen.clock.elapsedMs();
    judgeTime(reading, settings);
    return {};
  });
}

function judgeTime(reading: NtpReading, { maxOffsetMs, maxStratum }: NtpSettings): void {
  const { stratum, isSynchronized, offsetMs, roundTripMs } = reading;
  const fail = (message: string): never => {
    throw new ProbeFault('unexpected_response', message);
  };
  if (!isSynchronized) fail('The server is not synchronized.');
  if (maxStratum != null && stratum > maxStratum) fail(`The stratum is ${stratum} (at most ${maxStratum} is allowed).`);
  // If this process is busy when the response arrives, the delay makes the server seem behind by half of it.
  if (maxOffsetMs == null || Math.abs(offsetMs) - roundTripMs / 2 <= maxOffsetMs) return;
  const direction = offsetMs > 0 ? 'ahead' : 'behind';
  fail(
    `The server's clock is ${Math.abs(Math.round(offsetMs))} ms ${direction} (at most ${maxOffsetMs} ms is allowed).`,
  );
}
