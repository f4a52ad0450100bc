import { type ProbeOutcome } from '../../domain/check-result.js';

/** A definition to check once, in plain text. */
export interface Trial {
  teamId: string;
  type: string;
  fields: object;
  timeoutMs: number;
  /** Where to check from. */
  location: string;
}

/** Carries trial checks to the workers of a location, and their outcomes back. */
export abstract class TrialQueue {
  /** Resolves with the outcome. @throws 503 if no worker responds */
  abstract run(trial: Trial): Promise<ProbeOutcome>;
  /** Runs the trial checks of other processes at the location of this one. */
  abstract serve(run: (trial: Trial) => Promise<ProbeOutcome>): void;
  abstract close(): Promise<void>;
}
