import { BucketTally } from '../../domain/bucket-tally.js';
import { RESULT_STATUSES, type Timings } from '../../domain/check-result.js';
import { ERROR_CODES } from '../../domain/error-codes.js';
import { PROBES } from '../../probes/index.js';
import { type FinishedCheck } from '../checker/finished-checks.service.js';
import { familyHead, labelText } from './exposition.js';

const LAG_BOUNDS_S = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const DURATION_BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const PHASES = [
  ['dnsMs', 'dns'],
  ['connectMs', 'connect'],
  ['tlsMs', 'tls'],
  ['firstByteMs', 'first_byte'],
  ['transferMs', 'transfer'],
] as const satisfies [keyof Timings, string][];

interface TypeTally {
  byStatus: Record<FinishedCheck['status'], number>;
  duration: BucketTally;
}

/** Counts finished checks. Known series exist from the start, at 0, so that their first increase is visible. */
export class CheckTallies {
  private readonly byType = new Map<string, TypeTally>();
  private readonly byError = new Map<string, number>(ERROR_CODES.map((code) => [code, 0]));
  private readonly byPhase = PHASES.map(([key, phase]) => ({ key, phase, tally: new BucketTally(DURATION_BOUNDS_S) }));
  private readonly lag = new BucketTally(LAG_BOUNDS_S);

  constructor() {
    for (const { type } of PROBES) this.tallyOf(type);
  }

  /** Counts a batch. Never throws, because every result passes through it. */
  take(checks: readonly FinishedCheck[]): void {
    for (const check of checks) this.count(check);
  }

  /** Returns all metric families in the text format. */
  text(): string {
    return this.counts() + this.histograms();
  }

  private count({ type, status, outcome, trigger, attempt, durationMs, checkedAt, scheduledAt }: FinishedCheck): void {
    const tally = this.tallyOf(type ?? 'unknown');
    tally.byStatus[status] += 1;
    if (durationMs !== undefined) tally.duration.observe(durationMs / 1_000);
    // Retries have the time of their slot, and other checks a time of their own: neither shows how late a slot was.
    if (trigger === 'schedule' && attempt === 0) this.lag.observe(Math.max(0, checkedAt - scheduledAt) / 1_000);
    const { error, timings } = outcome;
    if (error) this.byError.set(error.code, (this.byError.get(error.code) ?? 0) + 1);
    for (const phase of this.byPhase) {
      const ms = timings[phase.key];
      if (ms !== null) phase.tally.observe(ms / 1_000);
    }
  }

  private tallyOf(type: string): TypeTally {
    const known = this.byType.get(type);
    if (known) return known;
    const byStatus = { up: 0, degraded: 0, down: 0, unknown: 0 };
    const made = { byStatus, duration: new BucketTally(DURATION_BOUNDS_S) };
    this.byType.set(type, made);
    return made;
  }

  private counts(): string {
    let text = familyHead('daywatch_checks_total', 'counter', 'Finished checks, by type and result.');
    for (const [type, { byStatus }] of this.byType) {
      for (const status of RESULT_STATUSES) {
        text += `daywatch_checks_total{${labelText({ type, status })}} ${byStatus[status]}\n`;
      }
    }
    text += familyHead('daywatch_check_errors_total', 'counter', 'Checks that did not pass, by error code.');
    for (const [code, count] of this.byError) text += `daywatch_check_errors_total{${labelText({ code })}} ${count}\n`;
    return text;
  }

  private histograms(): string {
    let name = 'daywatch_schedule_lag_seconds';
    let text = familyHead(name, 'histogram', 'Time from when a check was due to its start.') + this.lag.samples(name);
    name = 'daywatch_check_duration_seconds';
    text += familyHead(name, 'histogram', 'Duration of probes, including those that fail or time out.');
    for (const [type, { duration }] of this.byType) text += duration.samples(name, labelText({ type }));
    name = 'daywatch_check_phase_duration_seconds';
    text += familyHead(name, 'histogram', 'Duration of each phase that a probe reached.');
    for (const { phase, tally } of this.byPhase) text += tally.samples(name, labelText({ phase }));
    return text;
  }
}
