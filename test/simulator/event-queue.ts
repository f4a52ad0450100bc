interface Event {
  at: number;
  run: () => void;
}

/** Events by time, those of one moment in the order they were added. Made for a handful at once. */
export class EventQueue {
  /** Latest first. */
  private readonly events: Event[] = [];

  add(at: number, run: () => void): void {
    const { events } = this;
    let index = events.length;
    events.push({ at, run });
    for (; index > 0 && events[index - 1]!.at <= at; index -= 1) events[index] = events[index - 1]!;
    events[index] = { at, run };
  }

  /** The next one before `endMs`; `undefined` where none is left. */
  take(endMs: number): Event | undefined {
    const next = this.events.at(-1);
    return next && next.at < endMs ? this.events.pop() : undefined;
  }
}
