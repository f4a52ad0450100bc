/** The kinds of errors that the judge can find. */
export type FindingKind =
  | 'missed'
  | 'alert'
  | 'unheard'
  | 'unfounded'
  | 'receiver'
  | 'end'
  | 'false_down'
  | 'not_down'
  | 'not_degraded'
  | 'false_degraded'
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

/** Measured errors and durations. As a share of a bound, 1 is the whole bound. */
export interface Measures {
  /** Edges of outages, in intervals. */
  startErrors: number[];
  endErrors: number[];
  /** The time from the start of an outage to its confirmation, as a share of the bound. */
  confirmations: number[];
  /** The maximum error of the uptime of days and of whole windows, as a share of the bound. */
  worstDay: number;
  worstWindow: number;
}

export interface Counts {
  monitors: number;
  checks: number;
  outages: number;
  /** Outages that must be found. */
  certain: number;
  detected: number;
  lossConfirmed: number;
  replayed: number;
  /** Reported incidents, their alerts, and the attempts to send messages about them. */
  incidents: number;
  alerts: number;
  messages: number;
}

/** The findings and measurements of a simulation. */
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
    alerts: 0,
    messages: 0,
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
