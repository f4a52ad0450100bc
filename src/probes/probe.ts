import type { X509Certificate } from 'node:crypto';
import type { DomainFacts, ProbeOutcome } from '../domain/check-result.js';
import type { HeartbeatRule } from '../domain/heartbeat/heartbeat.js';
import type { Deadline } from './deadline.js';
import type { Evaluate } from './evaluation.js';
import type { Egress } from './net/egress.js';
import type { PhaseClock } from './phase-clock.js';
import type { ProbeForm } from './probe-form.js';

/** The means that a probe may use while it runs. */
export interface ProbeContext {
  /** The absolute deadline of the whole check, including redirects. */
  deadline: Deadline;
  /** Time from the start of the check to the deadline, in milliseconds. */
  timeoutMs: number;
  /** Measures the phases. The probe ends each phase as soon as it notices that it is over. */
  clock: PhaseClock;
  /** The only permitted way to resolve names and open connections, because it applies the address policy. */
  egress: Egress;
  /** Runs work that could take long, such as evaluating assertions on an untrusted response, with a time limit. */
  evaluate: Evaluate;
  /** Must be called with each server certificate that the probe receives, whatever it thinks of it. */
  onCertificate: (certificate: X509Certificate) => void;
  /** Must be called with the registration of a domain that the probe reads, whatever it thinks of it. */
  onRegistration: (registration: DomainFacts) => void;
}

/** A host in a definition, and its location in the definition (JSON pointer). */
export interface NamedHost {
  pointer: string;
  host: string;
}

/**
 * A monitor type. To add one, write a file with its definition and add a line to `index.ts`: validation, OpenAPI,
 * storage, the form and the documentation are derived from the definition.
 */
export interface ProbeDefinition<F extends object = object> {
  /** The value of a monitor's `type`. */
  type: string;
  /** The type's name for people, such as "TCP port". */
  label: string;
  /** Describes a check in one sentence, for the form and the documentation. */
  summary: string;
  /** A complete, valid definition for the documentation. Its key differs from those of the other types' examples. */
  example: F & { key: string; name: string };
  /** The class of the type-specific fields, with validators. Omitted optional fields get their `defaults`. */
  fields: new () => F;
  /** Values of fields that a definition omits. For a field that is an object, also the values of omitted members. */
  defaults: { [K in keyof F]?: F[K] | Partial<F[K]> };
  /** The default of `intervalSeconds`; 60 if absent. */
  intervalSeconds?: number;
  /** The form controls of the type-specific fields. A field without a control can be set only through the API. */
  form: ProbeForm;
  /**
   * Returns why this machine cannot run such checks and what the operator must install, or `null` if it can. While it
   * cannot, no monitor of the type can be created. If the function is absent, checks can always run.
   */
  unavailable?(): string | null;
  /** Returns the target as one short line without secrets, for display and for searching with `q`. */
  target(fields: F): string;
  /** Returns the hosts that checks connect to. Writes with addresses in blocked ranges are rejected. */
  hosts(fields: F): NamedHost[];
  /**
   * Returns the paths to the string members that contain secrets, such as `['auth', 'password']`. They are encrypted at
   * rest and masked in responses.
   */
  secretPaths(fields: F): string[][];
  /** Returns where the secret at a path is sent. If a change alters it, the stored secret is not carried over. */
  secretScope(fields: F, path: readonly string[]): string;
  /**
   * Returns where the stored definition has the secret at a path of a changed one. Absent if that is always the same
   * path.
   */
  storedPath?(path: readonly string[], changed: F, stored: F): readonly string[];
  /** Fills in fields that a definition omits and that depend on its other fields or chance. */
  complete?(fields: F): F;
  /**
   * Runs one check. Never throws because of the target: such a failure is an outcome with an error code. Throws only
   * for a fault of the service itself, which becomes `checker_error`. Settles at the latest shortly after the deadline,
   * and leaves nothing open. Absent for a type whose monitors wait for reports.
   */
  probe?(fields: F, context: ProbeContext): Promise<ProbeOutcome>;
  /** Returns when reports are expected. Present for exactly those types that have no `probe`. */
  awaits?(fields: F): HeartbeatRule;
}
