import { Type } from 'class-transformer';
import { ArrayMaxSize, IsBoolean, IsObject, ValidateNested } from 'class-validator';
import { type Assertion } from '../domain/assertions.js';
import { type ProbeOutcome } from '../domain/check-result.js';
import { yesNoField } from '../domain/form-field.js';
import { AssertionDto, AssertionList, CONNECTION_SOURCES } from './assertion.dto.js';
import { SecurePortFields } from './endpoint-fields.dto.js';
import { EXPECTATION_FORM } from './expectation/expectation-form.js';
import { Expectation } from './expectation/expectation.js';
import { ExpectationSettings, NO_EXPECTATION } from './expectation/expectation-settings.dto.js';
import { shownEndpoint } from './host.rules.js';
import { closeSocket } from './net/connection.js';
import { converse } from './net/conversation.js';
import { dial } from './net/dial.js';
import { observe } from './observation.js';
import { type ProbeContext, type ProbeDefinition } from './probe.js';
import { hostField, PORT_FIELD, VERIFY_TLS } from './probe-form.js';
import { MayBeLeftOut } from './rule.decorator.js';

/** An assertion about a TCP check. */
export class TcpAssertion extends AssertionDto {
  static override readonly sources = CONNECTION_SOURCES;
  static override readonly example: Assertion = { source: 'responseTimeMs', comparison: 'lessThan', target: 250 };
}

/** What is sent over the connection, and what the response must contain. */
export class TcpSettings extends ExpectationSettings {
  /**
   * Whether the connection uses TLS from the first byte.
   * @example false
   */
  @MayBeLeftOut()
  @IsBoolean()
  tls?: boolean;
}

/** The fields of a monitor of type `tcp`. */
export class TcpFields extends SecurePortFields {
  /** Classes of nested members, for the documentation. */
  static readonly models = [TcpAssertion, TcpSettings];

  /**
   * By default, nothing is sent or expected, and the connection is closed as soon as it was accepted.
   * @example { "tls": false, "send": null, "expect": "220 ", "expectMatches": null, "encoding": "utf8" }
   */
  @MayBeLeftOut()
  @IsObject()
  @ValidateNested()
  @Type(() => TcpSettings)
  settings?: TcpSettings;

  /** At most 20 assertions about the connection; those about a certificate fail without TLS. */
  @ArrayMaxSize(20)
  @AssertionList(() => TcpAssertion)
  assertions?: TcpAssertion[];
}

const defaults = {
  verifyTls: true,
  settings: { tls: false, send: null, ...NO_EXPECTATION },
  assertions: [],
} satisfies Omit<TcpFields, 'host' | 'port'>;

export const tcpProbe: ProbeDefinition<TcpFields> = {
  type: 'tcp',
  label: 'TCP port',
  summary: 'Connects to a TCP port, optionally with TLS; passes if it is accepted, or if the response is as expected.',
  example: { key: 'checkout-port', name: 'Checkout port', host: 'example.com', port: 443 },
  fields: TcpFields,
  defaults,
  form: {
    gist: 'A port that accepts connections',
    essential: [hostField('A name or an IP address.'), PORT_FIELD],
    request: [yesNoField('/settings/tls', 'Use TLS'), VERIFY_TLS, ...EXPECTATION_FORM],
    sources: TcpAssertion.sources,
  },
  target: ({ host, port }) => shownEndpoint(host, port),
  hosts: ({ host }) => [{ pointer: '/host', host }],
  secretPaths: () => [],
  secretScope: ({ host }) => host,
  probe: checkTcp,
};

function checkTcp(fields: TcpFields, context: ProbeContext): Promise<ProbeOutcome> {
  const { host, port, verifyTls = true, settings = defaults.settings, assertions = [] } = fields;
  const expectation = new Expectation(settings, context.evaluate);
  const { request } = expectation;
  return observe(assertions, context, async (seen) => {
    if (!settings.tls && request === null && expectation.isOpen) {
      closeSocket(await dial(host, port, seen, context));
      seen.responseTimeMs = seen.clock.elapsedMs();
    } else {
      await converse({ host, port, tls: settings.tls ? { verifyTls } : null }, seen, context, async (conversation) => {
        if (request) conversation.send(request);
        if (request || !expectation.isOpen) await expectation.await(conversation);
      });
    }
    return {};
  });
}
