import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TlsOptions } from 'node:tls';
import { afterEach } from '@jest/globals';
import { type ProbeOutcome } from '../../src/domain/check-result.js';
import { probeOf } from '../../src/probes/index.js';
import { runProbe } from '../../src/probes/run-check.js';
import { testEgress, type ProbeRunOptions } from './probe-run.js';
import { type ScriptedServer, scriptedServer } from './scripted-server.js';

const running: ScriptedServer[] = [];
const webServers: Server[] = [];

/** Stops the servers of each test of a file after it. */
export function stopsServers(): void {
  afterEach(async () => {
    for (const server of running.splice(0)) await server.close();
    for (const server of webServers.splice(0)) {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    }
  });
}

/** Starts a server for one test; see `stopsServers`. */
export async function startScript(act: (socket: Socket) => void, tls?: TlsOptions): Promise<ScriptedServer> {
  const server = await scriptedServer(act, tls);
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

/** Runs a check of a type. Loopback targets are allowed unless `allow` is given. */
export function runCheck(
  type: string,
  fields: object,
  { timeoutMs = 5_000, allow, evaluate }: ProbeRunOptions = {},
): Promise<ProbeOutcome> {
  return runProbe(probeOf(type)!, fields, { timeoutMs, egress: testEgress(allow), evaluate });
}
