import { dnsProbe } from './dns.probe.js';
import { domainProbe } from './domain.probe.js';
import { grpcProbe } from './grpc.probe.js';
import { heartbeatProbe } from './heartbeat.probe.js';
import { httpProbe } from './http.probe.js';
import { mongodbProbe } from './mongodb.probe.js';
import { mqttProbe } from './mqtt.probe.js';
import { mysqlProbe } from './mysql.probe.js';
import { ntpProbe } from './ntp.probe.js';
import { pingProbe } from './ping.probe.js';
import { postgresProbe } from './postgres.probe.js';
import { type ProbeDefinition } from './probe.js';
import { redisProbe } from './redis.probe.js';
import { sequenceProbe } from './sequence.probe.js';
import { smtpProbe } from './smtp.probe.js';
import { sshProbe } from './ssh.probe.js';
import { tcpProbe } from './tcp.probe.js';
import { tlsProbe } from './tls.probe.js';
import { udpProbe } from './udp.probe.js';
import { websocketProbe } from './websocket.probe.js';

/**
 * All monitor types, in the order in which people are offered them: the most usual first. A new type needs a file of its
 * own and a line here.
 */
const REGISTERED = [
  httpProbe,
  heartbeatProbe,
  tcpProbe,
  pingProbe,
  dnsProbe,
  tlsProbe,
  sequenceProbe,
  domainProbe,
  websocketProbe,
  grpcProbe,
  udpProbe,
  smtpProbe,
  sshProbe,
  ntpProbe,
  postgresProbe,
  mysqlProbe,
  redisProbe,
  mongodbProbe,
  mqttProbe,
] as const;

export const PROBES: readonly ProbeDefinition[] = REGISTERED;

type FieldsOf<P> = P extends ProbeDefinition<infer F> ? F : never;
type AnyFields = FieldsOf<(typeof REGISTERED)[number]>;
type NameIn<F> = F extends F ? keyof F : never;
type ValueIn<F, K> = F extends F ? (K extends keyof F ? Exclude<F[K], undefined> : never) : never;

/** The type-specific fields in API responses: the fields of all types, null if the monitor's type does not have one. */
export type ProbeFields = { [K in NameIn<AnyFields>]: ValueIn<AnyFields, K> | null };

const byType = new Map(PROBES.map((definition) => [definition.type, definition]));

/** Returns the definition of a monitor type, or `undefined` if the type does not exist. */
export function probeOf(type: string): ProbeDefinition | undefined {
  return byType.get(type);
}

/** Returns whether monitors of a type wait for reports instead of checking a target. */
export function awaitsReports(type: string): boolean {
  return probeOf(type)?.awaits !== undefined;
}

/** Returns why this machine cannot run checks of a type and what the operator must install, or `null` if it can. */
export function unavailability(definition: ProbeDefinition): string | null {
  return definition.unavailable?.() ?? null;
}
