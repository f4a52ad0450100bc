import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  createSecureServer,
  createServer as createHttp2Server,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TlsOptions } from 'node:tls';
import { afterEach } from '@jest/globals';
import { type ProbeOutcome } from '../../src/domain/check-result.js';
import { probeOf } from '../../src/probes/index.js';
import { runProbe } from '../../src/probes/run-check.js';
import { testEgress, type ProbeRunOptions } from './probe-run.js';
import { testCertificate } from './raw-target.js';
import {
  type DatagramScript,
  type DatagramServer,
  datagramServer,
  type ScriptedServer,
  scriptedServer,
} from './scripted-server.js';

const running: (ScriptedServer | DatagramServer)[] = [];
const webServers: Server[] = [];
const http2Servers: { server: Http2Server; sockets: Set<Socket> }[] = [];

/** Stops the servers of each test of a file after it. */
export function stopsServers(): void {
  afterEach(async () => {
    for (const server of running.splice(0)) await server.close();
    for (const server of webServers.splice(0)) {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    }
    for (const { server, sockets } of http2Servers.splice(0)) {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((done) => server.close(() => done()));
    }
  });
}

/** Starts a server for one test; see `stopsServers`. */
export async function startScript(act: (socket: Socket) => void, tls?: TlsOptions): Promise<ScriptedServer> {
  const server = await scriptedServer(act, tls);
  running.push(server);
  return server;
}

/** Starts a server of datagrams for one test; see `stopsServers`. */
export async function startDatagrams(act: DatagramScript): Promise<DatagramServer> {
  const server = await datagramServer(act);
  running.push(server);
  return server;
}

/** Starts an HTTP server for one test, which calls `answer` with each request and its body. Returns its origin. */
export async function startHttp(
  answer: (request: IncomingMessage, body: string, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer((request, response) => {
    text(request).then(
      (body) => answer(request, body, response),
      () => response.destroy(),
    );
  });
  webServers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * Starts a server of HTTP/2 for one test, which calls `answer` with each complete request and its body. With TLS, it may
 * also speak HTTP/1.1, and then answers `old`.
 */
export async function startHttp2(
  answer: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, body: Buffer) => void,
  { isSecure = true, allowHTTP1 = false } = {},
): Promise<number> {
  const server = isSecure ? createSecureServer({ ...testCertificate('valid'), allowHTTP1 }) : createHttp2Server();
  const sockets = new Set<Socket>();
  http2Servers.push({ server, sockets });
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.on('sessionError', () => undefined);
  // With such a listener, the server would also send trailers by itself.
  if (allowHTTP1) {
    server.on('request', (request, response) => {
      if (request.httpVersion === '1.1') response.end('old');
    });
  }
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    const chunks: Buffer[] = [];
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => answer(stream, headers, Buffer.concat(chunks)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

/** Runs a check of a type. Loopback targets are allowed unless `allow` is given. */
export function runCheck(
  type: string,
  fields: object,
  { timeoutMs = 5_000, allow, evaluate }: ProbeRunOptions = {},
): Promise<ProbeOutcome> {
  return runProbe(probeOf(type)!, fields, { timeoutMs, egress: testEgress(allow), evaluate });
}
