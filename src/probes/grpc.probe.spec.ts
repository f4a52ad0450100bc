import { describe, expect, it } from '@jest/globals';
import { problemsOf } from '../../test/support/field-problems.js';
import { runCheck, startHttp2, startScript, stopsServers } from '../../test/support/probe-scripts.js';
import { dialogue } from '../../test/support/scripted-server.js';
import { GrpcFields, grpcProbe } from './grpc.probe.js';

stopsServers();

interface Call {
  path: unknown;
  authority: unknown;
  contentType: unknown;
  metadata: unknown;
  body: string;
}

interface Answer {
  /** The value of the field `status` of the response; `null` for a response without a message. */
  serving?: number | null;
  grpcStatus?: string | null;
  httpStatus?: number;
  body?: Buffer;
}

/** Starts a server with the health service of gRPC. */
async function healthServer({ serving = 1, grpcStatus = '0', httpStatus = 200, body }: Answer = {}, isSecure = false) {
  const calls: Call[] = [];
  const port = await startHttp2(
    (stream, headers, received) => {
      calls.push({
        path: headers[':path'],
        authority: headers[':authority'],
        contentType: headers['content-type'],
        metadata: headers['x-team'],
        body: received.toString('hex'),
      });
      if (grpcStatus === null) {
        stream.respond({ ':status': httpStatus });
        stream.end();
        return;
      }
      stream.respond({ ':status': httpStatus, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': grpcStatus }));
      const message = body ?? (serving === null ? Buffer.alloc(0) : Buffer.from([0, 0, 0, 0, 2, 8, serving]));
      stream.end(message);
    },
    { isSecure },
  );
  return { port, calls };
}

const host = 'localhost';

describe('GrpcFields', () => {
  it.each([
    [{ port: undefined }, '/port isInt'],
    [{ settings: { metadata: { te: 'x' } } }, '/settings/metadata invalid_value'],
    [{ settings: { metadata: { 'Content-Type': 'application/grpc' } } }, '/settings/metadata invalid_value'],
    [{ settings: { metadata: { 'grpc-timeout': '1S' } } }, '/settings/metadata invalid_value'],
    [{ settings: { metadata: [] } }, '/settings/metadata isObject'],
    [{ settings: { service: 'x'.repeat(101) } }, '/settings/service maxLength'],
  ])('rejects %j with %s', (more, problem) =>
    expect(problemsOf(GrpcFields, { host, port: 50_051, ...more })).toContain(problem),
  );

  it('treats metadata as secret by its name', () => {
    const settings = { metadata: { Authorization: 'Bearer x', 'x-team': 'a' } };
    expect(grpcProbe.secretPaths({ host, port: 1, settings })).toEqual([['settings', 'metadata', 'Authorization']]);
  });
});

describe('the gRPC probe', () => {
  it.each([false, true])('passes if the server is serving (TLS: %s)', async (tls) => {
    const { port, calls } = await healthServer({}, tls);
    const settings = { tls, service: 'shop.v1.Orders', metadata: { 'X-Team': 'a' } };
    const outcome = await runCheck('grpc', { host, port, settings });
    expect(outcome).toMatchObject({ error: null, responseTimeMs: expect.any(Number) });
    expect(outcome.timings).toMatchObject({ firstByteMs: expect.any(Number), tlsMs: tls ? expect.any(Number) : null });
    expect(calls).toEqual([
      {
        path: '/grpc.health.v1.Health/Check',
        authority: `localhost:${port}`,
        contentType: 'application/grpc',
        metadata: 'a',
        body: `0000000010${Buffer.from('\x0a\x0eshop.v1.Orders').toString('hex')}`,
      },
    ]);
  });

  it('asks about the server as a whole by default', async () => {
    const { port, calls } = await healthServer();
    expect((await runCheck('grpc', { host, port })).error).toBeNull();
    expect(calls[0]!.body).toBe('0000000000');
  });

  it.each<[string, Answer, string, string]>([
    ['a service that is not serving', { serving: 2 }, 'unexpected_status', 'NOT_SERVING'],
    ['an unknown state', { body: Buffer.alloc(5) }, 'unexpected_status', 'UNKNOWN'],
    ['an unknown service', { grpcStatus: '5' }, 'unexpected_status', 'does not know the service'],
    ['a missing health service', { grpcStatus: '12' }, 'unexpected_status', 'does not implement'],
    ['another failure', { grpcStatus: '14' }, 'unexpected_status', 'gRPC status 14'],
    ['a missing permission', { grpcStatus: '7' }, 'authentication_failed', 'denied access'],
    ['a missing authentication', { grpcStatus: '16' }, 'authentication_failed', 'denied access'],
    ['a missing message', { serving: null }, 'unexpected_status', 'invalid response'],
    ['a response that is not of gRPC', { grpcStatus: null }, 'unexpected_status', 'missing'],
    ['an HTTP error', { grpcStatus: null, httpStatus: 503 }, 'unexpected_status', 'HTTP status 503'],
    ['a large response', { body: Buffer.alloc(200_000) }, 'response_too_large', 'too large'],
  ])('fails on %s', async (_, answer, code, message) => {
    const { port } = await healthServer(answer);
    const outcome = await runCheck('grpc', { host, port });
    expect(outcome.error).toEqual({ code, message: expect.stringContaining(message) });
  });

  it.each([
    ['a server of HTTP/1.1', 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'],
    ['garbage', Buffer.alloc(100, 0xff)],
  ])('fails on %s', async (_, reply) => {
    const { port, idle } = await startScript(dialogue(null, reply));
    const outcome = await runCheck('grpc', { host: '127.0.0.1', port }, { timeoutMs: 1_000 });
    expect(outcome.error?.code).toBe('protocol_error');
    await idle();
  });
});
