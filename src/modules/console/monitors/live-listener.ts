import { type TeamId } from '../../../http/auth/principal.js';
import { type EventStream } from '../../../http/event-stream.js';
import { type CreatedMonitor } from '../../monitors/definition/monitor-changes.service.js';

/** What an open page watches. */
export interface Interest {
  sessionId: string;
  teamId: TeamId;
  ids: readonly string[];
  /** Monitors created after this moment are new. Null if the page does not show new monitors. */
  sinceMs: number | null;
  /** Whether the page shows how many monitors of the team are in each state. */
  counts: boolean;
  /** Whether the page shows the evidence for the state of its monitor. */
  evidence: boolean;
}

/** Rows may become visible this long after their creation time. */
const SLOWEST_WRITE_MS = 10_000;

/** An open page, and what was sent to it so far. */
export class LiveListener {
  sinceMs: number | null;
  /** The marks of the team's monitors whose changes were sent; null before the first. */
  private sent: ReadonlyMap<string, string> | null = null;
  private told: ReadonlySet<string> = new Set();
  private toldCounts: string | null = null;

  constructor(
    readonly interest: Interest,
    private readonly stream: EventStream,
  ) {
    this.sinceMs = interest.sinceMs;
  }

  /** Returns which of the watched monitors have changed since `markSent`, and which were deleted. */
  changesIn(marks: ReadonlyMap<string, string>): { changed: string[]; gone: string[] } {
    const others = this.interest.ids.filter((id) => !this.sent || this.sent.get(id) !== marks.get(id));
    return { changed: others.filter((id) => marks.has(id)), gone: others.filter((id) => !marks.has(id)) };
  }

  /** Records that the changes in these marks were sent, so that they are not sent again. */
  markSent(marks: ReadonlyMap<string, string>): void {
    this.sent = marks;
  }

  /**
   * Returns how many of these monitors of the team are new to the page, and moves `sinceMs` forward for the next query.
   */
  newAmong(created: readonly CreatedMonitor[], nowMs: number): number {
    const { ids } = this.interest;
    const { sinceMs } = this;
    if (sinceMs === null) return 0;
    // Another page of the team may have requested the earlier ones.
    const fresh = created.filter((one) => one.atMs > sinceMs && !this.told.has(one.id) && !ids.includes(one.id));
    this.told = new Set(created.map(({ id }) => id));
    this.sinceMs = Math.max(sinceMs, nowMs - SLOWEST_WRITE_MS);
    return fresh.length;
  }

  /** Sends the counts unless they equal the previous ones. */
  sendCounts(update: { counts: object }): void {
    const counts = JSON.stringify(update.counts);
    if (counts === this.toldCounts) return;
    this.toldCounts = counts;
    this.send('counts', update);
  }

  send(event: string, data: object): void {
    // The JSON contains no line breaks, which would end the event.
    this.stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Sends the time, from which the page computes ages, and which keeps proxies from closing the connection as idle. */
  beat(nowMs: number): void {
    this.send('now', { ms: nowMs });
  }

  end(): void {
    this.stream.end();
  }
}
