interface Event {
  at: number;
  run: () => void;
}

/** A queue of events by time; simultaneous events are in the order of addition. Designed for a few pending events. */
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

  /** Removes and returns the next event before `endMs`; `undefined` if there is none. */
  take(endMs: number): Event | undefined {
    const next = this.events.at(-1);
    return next && next.at < endMs ? this.events.pop() : undefined;
  }
}
