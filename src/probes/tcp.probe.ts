import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsInt, IsString, Max, Min, ValidateNested } from 'class-validator';
import { failedAssertions, type AssertionSource } from '../domain/assertions.js';
import { type CheckError, type ProbeOutcome } from '../domain/check-result.js';
import { AssertionDto } from './assertion.dto.js';
import { closeSocket } from './net/connection.js';
import { isIpLiteral, parseHost } from './net/host-literal.js';
import { ProbeFault } from './net/probe-fault.js';
import { PhaseClock } from './phase-clock.js';
import { type ProbeContext, type ProbeDefinition } from './probe.js';
import { MayBeLeftOut, Rule } from './rule.decorator.js';
import { assertionError, checkError } from './verdict.js';

/** One expectation of a tcp check. */
export class TcpAssertion extends AssertionDto {
  static override readonly sources: readonly AssertionSource[] = ['responseTimeMs'];
}

/** The fields of a monitor of type `tcp`. */
export class TcpFields {
  /** For the documentation: the classes of nested members. */
  static readonly models = [TcpAssertion];

  /**
   * Host name or IP address.
   * @example "db.example.com"
   */
  @IsString()
  @Rule('invalid_value', (host) => (typeof host === 'string' ? hostProblem(host) : null), 'host')
  host: string;

  /**
   * Port, 1 to 65,535.
   * @example 5432
   */
  @IsInt()
  @Min(1)
  @Max(65_535)
  port: number;

  /** What must hold of the connection, at most 20 expectations; the only source is `responseTimeMs`. */
  @MayBeLeftOut()
  @IsArray()
  @ArrayMaxSize(20)
  @Rule('invalid_type', (element) => (Array.isArray(element) ? 'must have objects as elements' : null), 'noArrays', {
    each: true,
  })
  @ValidateNested({ each: true })
  @Type(() => TcpAssertion)
  assertions?: TcpAssertion[];
}

function hostProblem(host: string): string | null {
  return parseHost(host).kind === 'invalid'
    ? 'must be a host name or an IP address, without scheme, port or path'
    : null;
}

export const tcpProbe: ProbeDefinition<TcpFields> = {
  type: 'tcp',
  summary: 'Connects to a TCP port and closes the connection at once; passes when the connection was accepted.',
  example: { key: 'checkout-port', name: 'Checkout port', host: 'example.com', port: 443 },
  fields: TcpFields,
  defaults: { assertions: [] },
  target: ({ host, port }) => (host.includes(':') && !host.startsWith('[') ? `[${host}]:${port}` : `${host}:${port}`),
  hosts: ({ host }) => [{ pointer: '/host', host }],
  secretPaths: () => [],
  secretScope: ({ host }) => host,
  probe: checkTcp,
};

async function checkTcp({ host, port, assertions = [] }: TcpFields, context: ProbeContext): Promise<ProbeOutcome> {
  const clock = new PhaseClock();
  let error: CheckError | null;
  let responseTimeMs: number | null = null;
  let remoteAddress: string | null = null;
  let failed: ProbeOutcome['failedAssertions'] = [];
  try {
    const addresses = await context.egress.resolve(host, context.signal);
    if (!isIpLiteral(host)) clock.lap('dnsMs');
    const { socket, address } = await context.egress.connect(addresses, port, context.signal);
    closeSocket(socket);
    clock.lap('connectMs');
    remoteAddress = address;
    responseTimeMs = clock.elapsedMs();
    failed = failedAssertions(assertions, { responseTimeMs });
    error = assertionError(assertions, failed);
  } catch (fault) {
    if (!(fault instanceof ProbeFault)) throw fault;
    error = checkError(fault.code, fault.message);
  }
  return { statusCode: null, responseTimeMs, timings: clock.timings, remoteAddress, error, failedAssertions: failed };
}
