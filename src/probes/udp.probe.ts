import { Type } from 'class-transformer';
import { ArrayMaxSize, IsObject, IsString, MaxLength, MinLength, ValidateNested } from 'class-validator';
import { type Assertion, type AssertionSource } from '../domain/assertions.js';
import { type ProbeOutcome } from '../domain/check-result.js';
import { AssertionDto, AssertionList } from './assertion.dto.js';
import { PortFields } from './endpoint-fields.dto.js';
import { EXPECTATION_FORM } from './expectation/expectation-form.js';
import { Expectation, isTimeout, unexpected } from './expectation/expectation.js';
import { hexFault, NO_EXPECTATION, ResponseSettings } from './expectation/expectation-settings.dto.js';
import { shownEndpoint } from './host.rules.js';
import { askByDatagram } from './net/datagram.js';
import { locate } from './net/dial.js';
import { observe } from './observation.js';
import { type ProbeContext, type ProbeDefinition } from './probe.js';
import { hostField, PORT_FIELD } from './probe-form.js';
import { Rule } from './rule.decorator.js';

/** An assertion about a UDP check. */
export class UdpAssertion extends AssertionDto {
  static override readonly sources: readonly AssertionSource[] = ['responseTimeMs'];
  static override readonly example: Assertion = { source: 'responseTimeMs', comparison: 'lessThan', target: 250 };
}

/** The datagram that is sent, and what the response must contain. */
export class UdpSettings extends ResponseSettings {
  /**
   * The content of the datagram, at most 8,192 characters, as `encoding` defines.
   * @example "status"
   */
  @IsString()
  @MinLength(1)
  @MaxLength(8_192)
  @Rule('invalid_value', hexFault, 'hexSend')
  send: string;
}

/** The fields of a monitor of type `udp`. */
export class UdpFields extends PortFields {
  /** Classes of nested members, for the documentation. */
  static readonly models = [UdpAssertion, UdpSettings];

  /**
   * The datagram to send, and the expected response. Any response passes unless one is expected.
   * @example { "send": "status", "expect": "players", "expectMatches": null, "encoding": "utf8" }
   */
  @IsObject()
  @ValidateNested()
  @Type(() => UdpSettings)
  settings: UdpSettings;

  /** At most 20 assertions about the response; the only source is `responseTimeMs`. */
  @ArrayMaxSize(20)
  @AssertionList(() => UdpAssertion)
  assertions?: UdpAssertion[];
}

export const udpProbe: ProbeDefinition<UdpFields> = {
  type: 'udp',
  label: 'UDP port',
  summary: 'Sends a datagram to a UDP port; passes if the response is as expected.',
  example: { key: 'game-server', name: 'Game server', host: 'example.com', port: 27_015, settings: { send: 'status' } },
  fields: UdpFields,
  defaults: { settings: NO_EXPECTATION, assertions: [] },
  form: {
    gist: 'A service that answers datagrams',
    essential: [hostField('A name or an IP address.'), PORT_FIELD],
    request: EXPECTATION_FORM,
    sources: UdpAssertion.sources,
  },
  target: ({ host, port }) => shownEndpoint(host, port),
  hosts: ({ host }) => [{ pointer: '/host', host }],
  secretPaths: () => [],
  secretScope: ({ host }) => host,
  probe: checkUdp,
};

function checkUdp({ host, port, settings, assertions = [] }: UdpFields, context: ProbeContext): Promise<ProbeOutcome> {
  const { deadline, timeoutMs, evaluate } = context;
  const expectation = new Expectation(settings, evaluate);
  const request = expectation.request!;
  return observe(assertions, context, async (seen) => {
    const address = await locate(host, port, seen, context);
    let isOther = false;
    const ask = { address, port, request: () => request, timeoutMs };
    try {
      await askByDatagram(ask, deadline, (response) => {
        isOther = !expectation.isMetBy(response);
        return isOther ? null : true;
      });
    } catch (error) {
      throw isOther && isTimeout(error) ? unexpected() : error;
    }
    seen.clock.lap('firstByteMs');
    seen.responseTimeMs = seen.clock.elapsedMs();
    return {};
  });
}
