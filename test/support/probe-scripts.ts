import { type Socket } from 'node:net';
import { type TlsOptions } from 'node:tls';
import { afterEach } from '@jest/globals';
import { type ProbeOutcome } from '../../src/domain/check-result.js';
import { probeOf } from '../../src/probes/index.js';
import { runProbe } from '../../src/probes/run-check.js';
import { testEgress, type ProbeRunOptions } from './probe-run.js';
import { type ScriptedServer, scriptedServer } from './scripted-server.js';

const running: ScriptedServer[] = [];

/** Stops the servers of each test of a file after it. */
export function stopsServers(): void {
  afterEach(async () => {
    for (const server of running.splice(0)) await server.close();
  });
}

/** Starts a server for one test; see `stopsServers`. */
export async function startScript(act: (socket: Socket) => void, tls?: TlsOptions): Promise<ScriptedServer> {
  const server = await scriptedServer(act, tls);
  running.push(server);
  return server;
}

/** Runs a check of a type. Loopback targets are allowed unless `allow` is given. */
export function runCheck(
  type: string,
  fields: object,
  { timeoutMs = 5_000, allow, evaluate }: ProbeRunOptions = {},
): Promise<ProbeOutcome> {
  return runProbe(probeOf(type)!, fields, { timeoutMs, egress: testEgress(allow), evaluate });
}
