import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsBoolean,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { type Assertion } from '../domain/assertions.js';
import { type ProbeOutcome } from '../domain/check-result.js';
import { AssertionDto, AssertionList, CONNECTION_SOURCES } from './assertion.dto.js';
import { EXPECTATION_FORM } from './expectation/expectation-form.js';
import { Expectation, unexpected } from './expectation/expectation.js';
import { ExpectationSettings, NO_EXPECTATION } from './expectation/expectation-settings.dto.js';
import { addressProblem } from './host.rules.js';
import { HeaderFields } from './http/header-fields.dto.js';
import { HEADERS_FIELDS } from './http/http-form.js';
import { httpSecretPaths } from './http/http-fields.rules.js';
import { type Conversation, converse } from './net/conversation.js';
import { endpointOf } from './net/dial.js';
import { ProbeFault } from './net/probe-fault.js';
import { observe } from './observation.js';
import { type ProbeContext, type ProbeDefinition } from './probe.js';
import { VERIFY_TLS } from './probe-form.js';
import { MayBeLeftOut, Rule } from './rule.decorator.js';
import { BINARY, closeFrame, nextMessage, sendFrame, TEXT } from './websocket/frames.js';
import { upgrade } from './websocket/upgrade.js';

/** An assertion about a WebSocket check. */
export class WebsocketAssertion extends AssertionDto {
  static override readonly sources = CONNECTION_SOURCES;
  static override readonly example: Assertion = { source: 'responseTimeMs', comparison: 'lessThan', target: 500 };
}

/** What is sent over the connection, and which message must arrive. */
export class WebsocketSettings extends ExpectationSettings {
  /**
   * The subprotocol that the server must select. Null for none.
   * @example "graphql-transport-ws"
   */
  @IsOptional()
  @IsString()
  @Matches(/^[!#$%&'*+\-.^_`|~\dA-Za-z]{1,100}$/, { message: 'subprotocol must be a token of at most 100 characters' })
  subprotocol?: string | null;
}

/** The fields of a monitor of type `websocket`. */
export class WebsocketFields extends HeaderFields {
  /** Classes of nested members, for the documentation. */
  static readonly models = [WebsocketAssertion, WebsocketSettings];

  /**
   * Absolute ws or wss URL, at most 2,048 characters, without a username or password.
   * @example "wss://example.com/live"
   */
  @IsString()
  @MaxLength(2_048)
  @Rule('invalid_value', socketAddressProblem, 'url')
  url: string;

  /**
   * Whether the certificate must be trusted, not expired, and issued for the host.
   * @example true
   */
  @MayBeLeftOut()
  @IsBoolean()
  verifyTls?: boolean;

  /**
   * What is sent, as a text message or, with the encoding `hex`, as a binary message, and what a message of the server
   * must contain. By default, the connection only has to be accepted.
   * @example { "subprotocol": null, "send": "{\"type\":\"ping\"}", "expect": "pong", "encoding": "utf8" }
   */
  @MayBeLeftOut()
  @IsObject()
  @ValidateNested()
  @Type(() => WebsocketSettings)
  settings?: WebsocketSettings;

  /** At most 20 assertions about the connection; those about a certificate fail without TLS. */
  @ArrayMaxSize(20)
  @AssertionList(() => WebsocketAssertion)
  assertions?: WebsocketAssertion[];
}

const settings = { ...NO_EXPECTATION, send: null, subprotocol: null };
const defaults = { headers: {}, secretHeaders: [], verifyTls: true, settings, assertions: [] };

export const websocketProbe: ProbeDefinition<WebsocketFields> = {
  type: 'websocket',
  label: 'WebSocket',
  summary: 'Opens a WebSocket connection, optionally sends a message, and waits for the expected response.',
  example: { key: 'live-updates', name: 'Live updates', url: 'wss://example.com/live' },
  fields: WebsocketFields,
  defaults,
  form: {
    gist: 'A WebSocket server',
    essential: [
      {
        pointer: '/url',
        label: 'URL',
        kind: 'text',
        required: true,
        help: 'Begins with ws:// or wss://, for example wss://example.com/live.',
      },
    ],
    request: [
      ...HEADERS_FIELDS,
      { pointer: '/settings/subprotocol', label: 'Subprotocol', kind: 'text' },
      ...EXPECTATION_FORM,
      VERIFY_TLS,
    ],
    sources: WebsocketAssertion.sources,
  },
  /** Omits the query, which often contains tokens. */
  target({ url }) {
    const { protocol, host, pathname } = new URL(url);
    return `${protocol}//${host}${pathname}`;
  },
  hosts: ({ url }) => [{ pointer: '/url', host: new URL(url).hostname }],
  secretPaths: httpSecretPaths,
  secretScope: ({ url }) => new URL(url).origin,
  probe: checkWebsocket,
};

function socketAddressProblem(value: unknown): string | null {
  return addressProblem(value, ['ws', 'wss']);
}

function checkWebsocket(fields: WebsocketFields, context: ProbeContext): Promise<ProbeOutcome> {
  const { headers = {}, verifyTls = true, assertions = [] } = fields;
  const { subprotocol, ...exchange } = { ...settings, ...fields.settings };
  const url = new URL(fields.url);
  const { host, port, isSecure } = endpointOf(url);
  const peer = { host, port, tls: isSecure ? { verifyTls, protocols: ['http/1.1'] } : null };
  const expectation = new Expectation(exchange, context.evaluate);
  return observe(assertions, context, (seen) =>
    converse(peer, seen, context, async (conversation) => {
      await upgrade(conversation, { url, headers, subprotocol }, (status) => (seen.statusCode = status));
      const { request } = expectation;
      if (request) sendFrame(conversation, exchange.encoding === 'hex' ? BINARY : TEXT, request);
      if (request || !expectation.isOpen) await awaitMessage(conversation, expectation);
      conversation.leaveWith(closeFrame());
      return {};
    }),
  );
}

async function awaitMessage(conversation: Conversation, expectation: Expectation): Promise<void> {
  let isOther = false;
  try {
    for (;;) {
      const message = await nextMessage(conversation);
      if (message === null) throw new ProbeFault('connection_reset', 'The server ended the connection.');
      if (expectation.isMetBy(message)) return;
      isOther = true;
    }
  } catch (error) {
    throw isOther && isEnd(error) ? unexpected() : error;
  }
}

/** Returns whether an error means that no more messages arrived. */
function isEnd(error: unknown): boolean {
  return error instanceof ProbeFault && (error.code === 'timeout' || error.code === 'connection_reset');
}
