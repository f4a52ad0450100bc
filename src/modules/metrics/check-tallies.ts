import { BucketTally } from '../../domain/bucket-tally.js';
import { RESULT_STATUSES, type Timings } from '../../domain/check-result.js';
import { ERROR_CODES } from '../../domain/error-codes.js';
import { PROBES } from '../../probes/index.js';
import { type FinishedCheck } from '../checker/finished-checks.service.js';
import { familyHead, familyText, labelText, type Sample } from './exposition.js';

const LAG_BOUNDS_S = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const DURATION_BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const PHASES = [
  ['dnsMs', 'dns'],
  ['connectMs', 'connect'],
  ['tlsMs', 'tls'],
  ['firstByteMs', 'first_byte'],
  ['transferMs', 'transfer'],
] as const satisfies [keyof Timings, string][];

type Counts = Record<FinishedCheck['status'], number>;

interface TypeTally {
  byLocation: Map<string, Counts>;
  duration: BucketTally;
}

const noChecks = (): Counts => ({ up: 0, degraded: 0, down: 0, unknown: 0 });

/** For types that this version does not know. */
const OTHER = 'unknown';

/**
 * Counts finished checks. Known series exist from the start, at 0, so that their first increase is visible. A worker may
 * be of another version, or compromised: what it sends adds no series, except one for unknown types.
 */
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
    for (const check of checks) {
      try {
        this.count(check);
      } catch {
        // Not a result. The recorder rejects it.
      }
    }
  }

  /** Returns all metric families in the text format, with the checks from each of these locations. */
  text(locations: readonly string[]): string {
    return this.counts(locations) + this.histograms();
  }

  private count(check: FinishedCheck): void {
    const { type, status, location, trigger, attempt, durationMs, checkedAt, scheduledAt } = check;
    const { error, timings } = check.outcome;
    const tally = (type !== undefined && this.byType.get(type)) || this.tallyOf(OTHER);
    countsAt(tally, location)[status] += 1;
    if (durationMs !== undefined) tally.duration.observe(durationMs / 1_000);
    // Retries have the time of their slot, and other checks a time of their own: neither shows how late a slot was.
    if (trigger === 'schedule' && attempt === 0) this.lag.observe(Math.max(0, checkedAt - scheduledAt) / 1_000);
    const failed = error === null ? undefined : this.byError.get(error.code);
    if (error !== null && failed !== undefined) this.byError.set(error.code, failed + 1);
    for (const phase of this.byPhase) {
      const ms = timings[phase.key];
      if (ms !== null) phase.tally.observe(ms / 1_000);
    }
  }

  private tallyOf(type: string): TypeTally {
    const known = this.byType.get(type);
    if (known) return known;
    const made = { byLocation: new Map<string, Counts>(), duration: new BucketTally(DURATION_BOUNDS_S) };
    this.byType.set(type, made);
    return made;
  }

  private counts(locations: readonly string[]): string {
    const samples: Sample[] = [];
    for (const [type, tally] of this.byType) {
      for (const location of locations) countsAt(tally, location);
      for (const [location, counts] of tally.byLocation) {
        for (const status of RESULT_STATUSES) samples.push([{ type, status, location }, counts[status]]);
      }
    }
    const help = 'Finished checks, by type, result and location.';
    let text = familyText('daywatch_checks_total', 'counter', help, samples);
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

function countsAt({ byLocation }: TypeTally, location: string): Counts {
  let counts = byLocation.get(location);
  if (!counts) byLocation.set(location, (counts = noChecks()));
  return counts;
}
