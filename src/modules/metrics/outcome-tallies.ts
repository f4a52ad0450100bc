import { BucketTally } from '../../domain/bucket-tally.js';
import { familyHead, labelText } from './exposition.js';

const DELIVERY_BOUNDS_S = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3_600, 14_400, 86_400];

/** A name of a metric, and its help text. */
type Metric = readonly [name: string, help: string];

interface Outcome<Status extends string> {
  type: string;
  status: Status;
  /** Only if it was sent. */
  latencyMs?: number;
}

/** Counts what becomes of things to send, by type, and how long they take. Known series exist from the start, at 0. */
export class OutcomeTallies<Status extends string> {
  private readonly byType = new Map<string, { byStatus: Map<Status, number>; delivery: BucketTally }>();

  constructor(
    private readonly counter: Metric,
    private readonly histogram: Metric,
    types: readonly string[],
    private readonly statuses: readonly Status[],
  ) {
    for (const type of types) this.tallyOf(type);
  }

  /** Never throws. */
  take({ type, status, latencyMs }: Outcome<Status>): void {
    const { byStatus, delivery } = this.tallyOf(type);
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    if (status === 'sent' && latencyMs !== undefined) delivery.observe(Math.max(0, latencyMs) / 1_000);
  }

  /** Returns the metric families in the text format. */
  text(): string {
    let [name, help] = this.counter;
    let text = familyHead(name, 'counter', help);
    for (const [type, { byStatus }] of this.byType) {
      for (const [status, count] of byStatus) text += `${name}{${labelText({ type, status })}} ${count}\n`;
    }
    [name, help] = this.histogram;
    text += familyHead(name, 'histogram', help);
    for (const [type, { delivery }] of this.byType) text += delivery.samples(name, labelText({ type }));
    return text;
  }

  private tallyOf(type: string): { byStatus: Map<Status, number>; delivery: BucketTally } {
    let tally = this.byType.get(type);
    if (!tally) {
      const byStatus = new Map(this.statuses.map((status) => [status, 0]));
      tally = { byStatus, delivery: new BucketTally(DELIVERY_BOUNDS_S) };
      this.byType.set(type, tally);
    }
    return tally;
  }
}
