import { type TeamId } from '../../../http/auth/principal.js';
import { type CreatedMonitor } from '../../monitors/definition/monitor-changes.service.js';

/** Where the events of one page go. */
export interface EventStream {
  write(text: string): void;
  end(): void;
}

/** What an open page watches. */
export interface Interest {
  sessionId: string;
  teamId: TeamId;
  ids: readonly string[];
  /** New monitors are those that were made after this; null where the page has no place for them. */
  sinceMs: number | null;
  /** Whether it shows how many monitors of the team are in each state. */
  counts: boolean;
  /** Whether it shows the evidence for the state of its monitor. */
  evidence: boolean;
}

/** Rows may appear this long after the time that they say they were made at. */
const SLOWEST_WRITE_MS = 10_000;

/** One open page, and what it has been told so far. */
export class LiveListener {
  sinceMs: number | null;
  private readonly marks = new Map<string, string | null>();
  private told: ReadonlySet<string> = new Set();
  private toldCounts: string | null = null;

  constructor(
    readonly interest: Interest,
    private readonly stream: EventStream,
  ) {
    this.sinceMs = interest.sinceMs;
  }

  /** Of the monitors that it watches, those that have changed since it was last asked, and those that are gone. */
  changesIn(marks: ReadonlyMap<string, string>): { changed: string[]; gone: string[] } {
    const others = this.interest.ids.filter((id) => this.marks.get(id) !== (marks.get(id) ?? null));
    for (const id of others) this.marks.set(id, marks.get(id) ?? null);
    return { changed: others.filter((id) => marks.has(id)), gone: others.filter((id) => !marks.has(id)) };
  }

  /** How many of these new monitors of its team it has not been told of; what is asked for next time begins later. */
  newAmong(created: readonly CreatedMonitor[], nowMs: number): number {
    const { ids, sinceMs } = this.interest;
    if (sinceMs === null || this.sinceMs === null) return 0;
    const fresh = created.filter((one) => one.atMs > sinceMs && !this.told.has(one.id) && !ids.includes(one.id));
    this.told = new Set(created.map(({ id }) => id));
    this.sinceMs = Math.max(this.sinceMs, nowMs - SLOWEST_WRITE_MS);
    return fresh.length;
  }

  /** Tells these counts where they are not those that it was told last. */
  sendCounts(update: object & { html: string }): void {
    if (update.html === this.toldCounts) return;
    this.toldCounts = update.html;
    this.send('counts', update);
  }

  send(event: string, data: object): void {
    // JSON has no line breaks of its own.
    this.stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** A sign of life, which proxies want and pages do not see. */
  beat(): void {
    this.stream.write(':\n\n');
  }

  end(): void {
    this.stream.end();
  }
}
