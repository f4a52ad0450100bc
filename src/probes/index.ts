import { dnsProbe } from './dns.probe.js';
import { httpProbe } from './http.probe.js';
import { pingProbe } from './ping.probe.js';
import { type ProbeDefinition } from './probe.js';
import { tcpProbe } from './tcp.probe.js';
import { tlsProbe } from './tls.probe.js';

/** Every monitor type. A new one is its file, and its line here. */
export const PROBES: readonly ProbeDefinition[] = [httpProbe, tcpProbe, tlsProbe, dnsProbe, pingProbe];

const byType = new Map(PROBES.map((definition) => [definition.type, definition]));

/** The definition of a monitor type, or `undefined` where there is none. */
export function probeOf(type: string): ProbeDefinition | undefined {
  return byType.get(type);
}

/** Why this machine cannot run checks of a type, with what its operator installs for them; `null` where it can. */
export function unavailability(definition: ProbeDefinition): string | null {
  return definition.unavailable?.() ?? null;
}
