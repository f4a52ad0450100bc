/** What a run can find. */
export type FindingKind =
  /** A write that was acknowledged is not there, or a correct one was refused. */
  | 'lost_write'
  | 'refused_write'
  /** A result whose batch was finished is not recorded, or a check whose batch was finished has no result. */
  | 'lost_result'
  | 'lost_check'
  | 'recorded_twice'
  | 'off_slot'
  | 'miscounted'
  | 'unaccounted_slot'
  | 'false_failure'
  | 'false_pass'
  | 'false_down'
  | 'missed'
  | 'wrong_state'
  | 'wrong_gap'
  | 'wrong_uptime'
  | 'checked_absence'
  | 'unrecorded_absence'
  | 'forged'
  /** Written, sent or taken without the lease for it. */
  | 'intrusion'
  | 'stale_dispatch'
  | 'epoch'
  | 'late_takeover'
  | 'lost_alert'
  | 'doubled_alert'
  | 'repeated_alert'
  | 'unfounded_alert'
  | 'crash'
  | 'failed_start'
  | 'not_back';

export interface Finding {
  kind: FindingKind;
  text: string;
}

/** The findings and figures of a run. */
export class Verdict {
  readonly findings: Finding[] = [];
  /** In the order of the report. */
  readonly figures: [name: string, value: string | number][] = [];

  find(kind: FindingKind, text: string): void {
    this.findings.push({ kind, text });
  }

  note(name: string, value: string | number): void {
    this.figures.push([name, value]);
  }

  /** The kinds of findings, with their numbers. */
  get kinds(): Map<FindingKind, number> {
    const kinds = new Map<FindingKind, number>();
    for (const { kind } of this.findings) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    return kinds;
  }
}

/** Returns the value at a share of the sorted list; NaN if it is empty. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? NaN;
}

export function time(ms: number): string {
  return new Date(ms).toISOString().slice(11, 23);
}
