/** What can be wrong. */
export type FindingKind =
  | 'missed'
  | 'alert'
  | 'false_down'
  | 'not_down'
  | 'edge'
  | 'confirmation'
  | 'evidence'
  | 'unknown'
  | 'known'
  | 'overlay'
  | 'adding_up'
  | 'uptime'
  | 'order';

export interface Finding {
  seed: number;
  monitor: number;
  kind: FindingKind;
  text: string;
}

/** How much of its bound something took; 1 is all of it. */
export interface Measures {
  /** Edges of outages, in intervals. */
  startErrors: number[];
  endErrors: number[];
  /** From the first failing moment to the confirmation, as a share of the bound. */
  confirmations: number[];
  /** Error of the uptime of days and of whole windows, as a share of the bound. */
  worstDay: number;
  worstWindow: number;
}

export interface Counts {
  monitors: number;
  checks: number;
  outages: number;
  /** Those that must be found. */
  certain: number;
  detected: number;
  lossConfirmed: number;
  replayed: number;
  /** What people were alerted of. */
  incidents: number;
}

/** What was found wrong, and what was measured on the way. */
export class Verdict {
  readonly findings: Finding[] = [];
  readonly counts: Counts = {
    monitors: 0,
    checks: 0,
    outages: 0,
    certain: 0,
    detected: 0,
    lossConfirmed: 0,
    replayed: 0,
    incidents: 0,
  };
  readonly measures: Measures = { startErrors: [], endErrors: [], confirmations: [], worstDay: 0, worstWindow: 0 };

  constructor(
    private readonly seed: number,
    private monitor = 0,
  ) {}

  begin(monitor: number): void {
    this.monitor = monitor;
    this.counts.monitors += 1;
  }

  find(kind: FindingKind, text: string): void {
    this.findings.push({ seed: this.seed, monitor: this.monitor, kind, text });
  }

  count(kind: FindingKind): number {
    return this.findings.filter((finding) => finding.kind === kind).length;
  }
}
