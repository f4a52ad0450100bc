import { type ProbeOutcome } from '../../domain/check-result.js';
import { type DelayMemory } from './loop-delay.js';
import { type PulseCells } from './pulse.js';

/** What a probe thread needs to reach targets. Plain data. */
export interface ThreadSettings {
  allowPrivateTargets: true | readonly string[];
  forbidden: readonly { host: string; port: number }[];
  /** Shared: they are known once the service listens. */
  ownPorts: Uint32Array<SharedArrayBuffer>;
}

/** What a probe thread is started with. */
export interface ThreadStart {
  settings: ThreadSettings;
  pulse: PulseCells;
  delays: DelayMemory;
}

/** A definition, sent once for all its checks. Secrets are open in it. */
export interface ThreadPlan {
  plan: number;
  type: string;
  /** JSON, which takes less memory than what it says. */
  fields: string;
  timeoutMs: number;
  /** Whose it is: what takes long is shared fairly among teams. */
  team: string;
}

/** To a probe thread. */
export interface Orders {
  plans: ThreadPlan[];
  /** Plans that are not needed any more. */
  forget: number[];
  /** Two numbers a check: its own, and its plan's. An array of objects costs several times as much to hand over. */
  jobs: Float64Array;
  /** Likewise those that somebody waits for. They and the others take turns. */
  asked: Float64Array;
  /** The reading of the slot clock, and of the monotonic one that threads share, at the same moment. */
  clock: { nowMs: number; monotonicMs: number };
}

/** From a probe thread. */
export interface Report {
  /** {@link ROW} numbers a check. */
  rows: Float64Array;
  /** One a check. */
  addresses: (string | null)[];
  /** Of those checks that have any. */
  troubles: ({ row: number } & Pick<ProbeOutcome, 'error' | 'failedAssertions'>)[];
  running: number;
  waiting: number;
}

/** Number, start by the slot clock and by the shared monotonic one, duration, the figures of the outcome; NaN for none. */
export const ROW = 11;

/** A finished check; between threads, its job is a number. */
export interface FinishedProbe<J = number> {
  job: J;
  /** By the slot clock, in epoch milliseconds. */
  checkedAt: number;
  /** By the monotonic clock that threads share. */
  startedAt: number;
  durationMs: number;
  outcome: ProbeOutcome;
}

export function toReport(finished: readonly FinishedProbe[], running: number, waiting: number): Report {
  const rows = new Float64Array(finished.length * ROW);
  const troubles: Report['troubles'] = [];
  finished.forEach(({ job, checkedAt, startedAt, durationMs, outcome }, row) => {
    const { statusCode, responseTimeMs, timings, error, failedAssertions } = outcome;
    const { dnsMs, connectMs, tlsMs, firstByteMs, transferMs } = timings;
    let at = row * ROW;
    rows[at++] = job;
    rows[at++] = checkedAt;
    rows[at++] = startedAt;
    rows[at++] = durationMs;
    rows[at++] = statusCode ?? NaN;
    rows[at++] = responseTimeMs ?? NaN;
    rows[at++] = dnsMs ?? NaN;
    rows[at++] = connectMs ?? NaN;
    rows[at++] = tlsMs ?? NaN;
    rows[at++] = firstByteMs ?? NaN;
    rows[at] = transferMs ?? NaN;
    if (error !== null || failedAssertions.length > 0) troubles.push({ row, error, failedAssertions });
  });
  return { rows, addresses: finished.map(({ outcome }) => outcome.remoteAddress), troubles, running, waiting };
}

/** What {@link toReport} was given, with what `jobOf` makes of the number of each; those of which it knows nothing are left out. */
export function fromReport<J>(
  { rows, addresses, troubles }: Report,
  jobOf: (number: number) => J | undefined,
): FinishedProbe<J>[] {
  const figure = (at: number): number | null => (Number.isNaN(rows[at]) ? null : rows[at]!);
  const troubleOf = new Map(troubles.map((trouble) => [trouble.row, trouble]));
  const finished: FinishedProbe<J>[] = [];
  addresses.forEach((remoteAddress, row) => {
    const at = row * ROW;
    const job = jobOf(rows[at]!);
    if (job === undefined) return;
    const trouble = troubleOf.get(row);
    finished.push({
      job,
      checkedAt: rows[at + 1]!,
      startedAt: rows[at + 2]!,
      durationMs: rows[at + 3]!,
      outcome: {
        statusCode: figure(at + 4),
        responseTimeMs: figure(at + 5),
        timings: {
          dnsMs: figure(at + 6),
          connectMs: figure(at + 7),
          tlsMs: figure(at + 8),
          firstByteMs: figure(at + 9),
          transferMs: figure(at + 10),
        },
        remoteAddress,
        error: trouble?.error ?? null,
        failedAssertions: trouble?.failedAssertions ?? [],
      },
    });
  });
  return finished;
}
