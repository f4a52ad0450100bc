import { dnsProbe } from './dns.probe.js';
import { httpProbe } from './http.probe.js';
import { pingProbe } from './ping.probe.js';
import { type ProbeDefinition } from './probe.js';
import { tcpProbe } from './tcp.probe.js';
import { tlsProbe } from './tls.probe.js';

/** Every monitor type. A new one takes its file and its line here. */
const REGISTERED = [httpProbe, tcpProbe, tlsProbe, dnsProbe, pingProbe] as const;

export const PROBES: readonly ProbeDefinition[] = REGISTERED;

type FieldsOf<P> = P extends ProbeDefinition<infer F> ? F : never;
type AnyFields = FieldsOf<(typeof REGISTERED)[number]>;
type NameIn<F> = F extends F ? keyof F : never;
type ValueIn<F, K> = F extends F ? (K extends keyof F ? Exclude<F[K], undefined> : never) : never;

/** The type-specific fields as the API returns them: every field that any type has, null where a type lacks it. */
export type ProbeFields = { [K in NameIn<AnyFields>]: ValueIn<AnyFields, K> | null };

const byType = new Map(PROBES.map((definition) => [definition.type, definition]));

/** The definition of a monitor type, or `undefined` where there is none. */
export function probeOf(type: string): ProbeDefinition | undefined {
  return byType.get(type);
}

/** Why this machine cannot run checks of a type, with what its operator installs for them; `null` where it can. */
export function unavailability(definition: ProbeDefinition): string | null {
  return definition.unavailable?.() ?? null;
}
