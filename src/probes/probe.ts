import type { ProbeOutcome } from '../domain/check-result.js';
import type { Deadline } from './deadline.js';
import type { Evaluate } from './evaluation.js';
import type { Egress } from './net/egress.js';
import type { PhaseClock } from './phase-clock.js';
import type { ProbeForm } from './probe-form.js';

/** What a probe may use while it runs. */
export interface ProbeContext {
  /** The absolute deadline of the whole check, redirects included. */
  deadline: Deadline;
  /** The deadline's length, in milliseconds from the start of the check. */
  timeoutMs: number;
  /** Measures the phases: each is ended as soon as the probe sees that it is over. */
  clock: PhaseClock;
  /** The only way to resolve a name and to open a connection: it applies the address policy. */
  egress: Egress;
  /** Runs what could take long, such as the assertions of a caller over the answer of a stranger. */
  evaluate: Evaluate;
}

/** A host that a definition names, and where in the definition it stands (JSON pointer). */
export interface NamedHost {
  pointer: string;
  host: string;
}

/**
 * One monitor type. Adding one takes a file with such a definition and a line in `index.ts`: validation, OpenAPI, storage,
 * the form and the documentation follow from it.
 */
export interface ProbeDefinition<F extends object = object> {
  /** The value of a monitor's `type`. */
  type: string;
  /** What people call the type, such as "TCP port". */
  label: string;
  /** What a check does, in one sentence: shown in the form and in the documentation. */
  summary: string;
  /** A definition for the documentation, which works as it stands; its key is one that no other type's example has. */
  example: F & { key: string; name: string };
  /** A class with validators: the type-specific fields of a monitor. Optional ones get `defaults`. */
  fields: new () => F;
  /** Values of the fields that a definition leaves out; of an object among them, also those of its members. */
  defaults: { [K in keyof F]?: F[K] | Partial<F[K]> };
  /** The controls of the type-specific fields. A field without a control can be set through the API alone. */
  form: ProbeForm;
  /**
   * Why this machine cannot run such checks, with what its operator installs for them; `null` where it can. No monitor
   * of the type is made then. Left out: it always can.
   */
  unavailable?(): string | null;
  /** What is checked, in one short line without secrets: shown, and searched by `q`. */
  target(fields: F): string;
  /** The hosts it will connect to: literals in refused ranges are refused on write. */
  hosts(fields: F): NamedHost[];
  /** Paths to the string members that hold secrets, such as `['auth', 'password']`: sealed at rest, masked when read. */
  secretPaths(fields: F): string[][];
  /** Where secrets are sent. Stored ones are not carried over to another one. */
  secretScope(fields: F): string;
  /**
   * Runs one check. Never throws for what a target does: that is an outcome with an error code. A throw is a fault of
   * ours and becomes `checker_error`. Settles no later than shortly after the deadline, and leaves nothing open.
   */
  probe(fields: F, context: ProbeContext): Promise<ProbeOutcome>;
}
