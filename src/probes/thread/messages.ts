import { type ProbeOutcome, type Readings } from '../../domain/check-result.js';
import { type DelayMemory } from './loop-delay.js';
import { type PulseCells } from './pulse.js';

/** The settings that a probe thread needs to reach targets, as plain data. */
export interface ThreadSettings {
  allowPrivateTargets: true | readonly string[];
  forbidden: readonly { host: string; port: number }[];
  /** In shared memory, because the ports are known only once the service listens. */
  ownPorts: Uint32Array<SharedArrayBuffer>;
  rdapBootstrapUrl: string | null;
}

/** The data that a probe thread is started with. */
export interface ThreadStart {
  settings: ThreadSettings;
  pulse: PulseCells;
  delays: DelayMemory;
}

/** A definition, sent once for all its checks. Contains decrypted secrets. */
export interface ThreadPlan {
  plan: number;
  type: string;
  /** As JSON, which takes less memory than the parsed object. */
  fields: string;
  timeoutMs: number;
  /** The team of the monitor, for sharing processor time fairly among teams. */
  team: string;
}

/** A message to a probe thread. */
export interface Orders {
  plans: ThreadPlan[];
  /** Plans that are no longer needed. */
  forget: number[];
  /**
   * Two numbers per check: its own and its plan's. An array of objects would take several times as long to transfer.
   */
  jobs: Float64Array;
  /** The same for checks that a user waits for. They and the scheduled ones take turns. */
  asked: Float64Array;
  /** The readings of the slot clock and of the monotonic clock that all threads share, at the same moment. */
  clock: { nowMs: number; monotonicMs: number };
}

/** A message from a probe thread. */
export interface Report {
  /** {@link ROW} numbers per check. */
  rows: Float64Array;
  /** One entry per check. */
  addresses: (string | null)[];
  /** Errors and failed assertions of the checks that have any. */
  troubles: ({ row: number } & Pick<ProbeOutcome, 'error' | 'failedAssertions'>)[];
  /** What the few checks that have read anything report. */
  readings: ({ row: number } & Readings)[];
  running: number;
  waiting: number;
}

/** The job, the start by the slot clock and by the monotonic clock, the duration, and the outcome's figures or NaN. */
export const ROW = 11;

/** A finished check. Between threads, its job is a number. */
export interface FinishedProbe<J = number> extends Readings {
  job: J;
  /** Start by the slot clock, in epoch milliseconds. */
  checkedAt: number;
  /** Start by the monotonic clock that all threads share. */
  startedAt: number;
  durationMs: number;
  outcome: ProbeOutcome;
}

export function toReport(finished: readonly FinishedProbe[], running: number, waiting: number): Report {
  const rows = new Float64Array(finished.length * ROW);
  const troubles: Report['troubles'] = [];
  const readings: Report['readings'] = [];
  finished.forEach(({ job, checkedAt, startedAt, durationMs, outcome, certificate, registration }, row) => {
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
    if (certificate || registration) readings.push({ row, certificate, registration });
  });
  const addresses = finished.map(({ outcome }) => outcome.remoteAddress);
  return { rows, addresses, troubles, readings, running, waiting };
}

/**
 * Returns the checks that {@link toReport} encoded, with the jobs that `jobOf` returns, and omits those without a job.
 */
export function fromReport<J>(
  { rows, addresses, troubles, readings }: Report,
  jobOf: (number: number) => J | undefined,
): FinishedProbe<J>[] {
  const figure = (at: number): number | null => (Number.isNaN(rows[at]) ? null : rows[at]!);
  const troubleOf = new Map(troubles.map((trouble) => [trouble.row, trouble]));
  const readingsOf = new Map(readings.map((one) => [one.row, one]));
  const finished: FinishedProbe<J>[] = [];
  addresses.forEach((remoteAddress, row) => {
    const at = row * ROW;
    const job = jobOf(rows[at]!);
    if (job === undefined) return;
    const trouble = troubleOf.get(row);
    const read = readingsOf.get(row);
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
      certificate: read?.certificate,
      registration: read?.registration,
    });
  });
  return finished;
}
