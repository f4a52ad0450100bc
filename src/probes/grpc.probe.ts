import { type Socket } from 'node:net';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsBoolean, IsObject, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import { type Assertion } from '../domain/assertions.js';
import { type ProbeOutcome } from '../domain/check-result.js';
import { yesNoField } from '../domain/form-field.js';
import { AssertionDto, AssertionList, CONNECTION_SOURCES } from './assertion.dto.js';
import { SecurePortFields } from './endpoint-fields.dto.js';
import { type HealthReply } from './grpc/health-call.js';
import { shownEndpoint } from './host.rules.js';
import { isSecretHeader } from './http/credentials.js';
import { Headers } from './http/header-fields.dto.js';
import { closeSocket } from './net/connection.js';
import { dial, secure } from './net/dial.js';
import { ProbeFault } from './net/probe-fault.js';
import { observe } from './observation.js';
import { type ProbeContext, type ProbeDefinition } from './probe.js';
import { hostField, PORT_FIELD, VERIFY_TLS } from './probe-form.js';
import { MayBeLeftOut, Rule } from './rule.decorator.js';

/** An assertion about a gRPC check. */
export class GrpcAssertion extends AssertionDto {
  static override readonly sources = CONNECTION_SOURCES;
  static override readonly example: Assertion = { source: 'responseTimeMs', comparison: 'lessThan', target: 250 };
}

/** Metadata that each call has, besides the headers that no type accepts. */
const OUR_METADATA: ReadonlySet<string> = new Set(['content-type', 'grpc-timeout']);

/** What a check asks for. */
export class GrpcSettings {
  /**
   * Whether the connection uses TLS.
   * @example true
   */
  @MayBeLeftOut()
  @IsBoolean()
  tls?: boolean;

  /**
   * The name of the service, at most 100 characters. Null for the server as a whole.
   * @example "shop.v1.Orders"
   */
  @IsOptional()
  @IsString()
  @MaxLength(100)
  service?: string | null;

  /**
   * Metadata of the call, at most 50 entries, without those that are set automatically: `content-type` and
   * `grpc-timeout`. Responses contain `"********"` for those whose name suggests a secret; sending that string keeps the
   * stored value.
   * @example { "authorization": "Bearer s3cr3t" }
   */
  @Headers()
  @Rule('invalid_value', metadataNames, 'metadataNames')
  metadata?: Record<string, string>;
}

/** The fields of a monitor of type `grpc`. */
export class GrpcFields extends SecurePortFields {
  /** Classes of nested members, for the documentation. */
  static readonly models = [GrpcAssertion, GrpcSettings];

  /**
   * The service to ask about. By default, the server is asked about itself, without TLS.
   * @example { "tls": true, "service": "shop.v1.Orders", "metadata": {} }
   */
  @MayBeLeftOut()
  @IsObject()
  @ValidateNested()
  @Type(() => GrpcSettings)
  settings?: GrpcSettings;

  /** At most 20 assertions about the call; those about a certificate fail without TLS. */
  @ArrayMaxSize(20)
  @AssertionList(() => GrpcAssertion)
  assertions?: GrpcAssertion[];
}

const settings = { tls: false, service: null, metadata: {} };
const defaults = { verifyTls: true, settings, assertions: [] };
const HTTPS_PORT = 443;
const HTTP_PORT = 80;

/** Statuses of a call. */
const OK = 0;
const NOT_FOUND = 5;
const UNIMPLEMENTED = 12;
/** Permission denied, and unauthenticated. */
const DENIALS: ReadonlySet<number | null> = new Set([7, 16]);

export const grpcProbe: ProbeDefinition<GrpcFields> = {
  type: 'grpc',
  label: 'gRPC',
  summary: 'Calls the gRPC health service of a server; passes if it, or one of its services, is serving.',
  example: { key: 'orders-service', name: 'Orders service', host: 'example.com', port: 50_051 },
  fields: GrpcFields,
  defaults,
  form: {
    gist: 'A gRPC server with health checks',
    essential: [hostField('A name or an IP address.'), PORT_FIELD],
    request: [
      {
        pointer: '/settings/service',
        label: 'Service',
        kind: 'text',
        help: 'For example shop.v1.Orders. If empty, the server as a whole.',
        brief: (texts) => texts('service') || 'whole server',
      },
      { pointer: '/settings/metadata', label: 'Metadata', kind: 'headers', lines: 3, help: 'One entry per line.' },
      yesNoField('/settings/tls', 'Use TLS'),
      VERIFY_TLS,
    ],
    sources: GrpcAssertion.sources,
  },
  target: ({ host, port, settings: { service } = settings }) => {
    return shownEndpoint(host, port) + (service == null ? '' : `/${service}`);
  },
  hosts: ({ host }) => [{ pointer: '/host', host }],
  secretPaths: ({ settings: { metadata = {} } = settings }) =>
    Object.keys(metadata)
      .filter((name) => isSecretHeader(name, []))
      .map((name) => ['settings', 'metadata', name]),
  secretScope: ({ host }) => host,
  probe: checkGrpc,
};

function metadataNames(value: unknown): string | null {
  const ours = Object.keys(value ?? {}).find((name) => OUR_METADATA.has(name.toLowerCase()));
  return ours === undefined ? null : `must not contain ${JSON.stringify(ours)}: it is set automatically`;
}

function checkGrpc(fields: GrpcFields, context: ProbeContext): Promise<ProbeOutcome> {
  const { host, port, verifyTls = true, assertions = [] } = fields;
  const { tls, service, metadata } = { ...settings, ...fields.settings };
  const usual = tls ? HTTPS_PORT : HTTP_PORT;
  const authority = port === usual ? shownEndpoint(host, port).replace(/:\d+$/, '') : shownEndpoint(host, port);
  const call = { authority, isSecure: tls, service: service ?? '', metadata, timeoutMs: context.timeoutMs };
  return observe(assertions, context, async (seen) => {
    // HTTP/2 takes megabytes of memory, so it is loaded by the first check that needs it.
    const { callHealth } = await import('./grpc/health-call.js');
    let socket: Socket = await dial(host, port, seen, context);
    try {
      if (tls) socket = await secure(socket, { host, verifyTls, protocols: ['h2'] }, seen, context);
      judgeHealth(await callHealth(socket, call, context.deadline, () => seen.clock.lap('firstByteMs')));
      seen.responseTimeMs = seen.clock.elapsedMs();
      return {};
    } finally {
      // After HTTP/2, closing only the plain socket below TLS would leave its descriptor open.
      closeSocket(socket);
    }
  });
}

function judgeHealth({ httpStatus, grpcStatus, serving }: HealthReply): void {
  const fail = (message: string): never => {
    throw new ProbeFault('unexpected_status', message);
  };
  if (httpStatus !== 200) fail(`Unexpected HTTP status ${httpStatus} (expected 200).`);
  if (DENIALS.has(grpcStatus)) {
    throw new ProbeFault('authentication_failed', `The server denied access (gRPC status ${grpcStatus}).`);
  }
  if (grpcStatus === NOT_FOUND) fail('The server does not know the service.');
  if (grpcStatus === UNIMPLEMENTED) fail('The server does not implement the gRPC health service.');
  if (grpcStatus !== OK) fail(`The call failed (gRPC status ${grpcStatus ?? 'missing'}).`);
  if (serving !== 'SERVING') fail(`The service is not serving (${serving ?? 'invalid response'}).`);
}
