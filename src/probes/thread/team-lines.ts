/** Of a list of those that wait, how much may have been served before it is cut off: under overload it is never empty. */
const SERVED_AT_MOST = 4_096;

/** Those that wait, in the order in which they came. */
class Line<T> {
  private waiting: T[] = [];
  private next = 0;

  get length(): number {
    return this.waiting.length - this.next;
  }

  push(one: T): void {
    this.waiting.push(one);
  }

  shift(): T | undefined {
    const one = this.waiting[this.next];
    if (one !== undefined) this.next += 1;
    if (this.next === this.waiting.length || this.next >= SERVED_AT_MOST) {
      this.waiting.splice(0, this.next);
      this.next = 0;
    }
    return one;
  }
}

/** A line for each team. Teams take turns, so that one that has many waiting does not make the others wait for them. */
export class TeamLines<T> {
  /** Of teams with somebody waiting, the one whose turn it is first. */
  private readonly lines = new Map<string, Line<T>>();
  private waiting = 0;

  get length(): number {
    return this.waiting;
  }

  push(team: string, one: T): void {
    let line = this.lines.get(team);
    if (!line) this.lines.set(team, (line = new Line()));
    line.push(one);
    this.waiting += 1;
  }

  shift(): T | undefined {
    for (const [team, line] of this.lines) {
      const one = line.shift();
      // Last, where it stands until its next turn.
      if (this.lines.size > 1 || line.length === 0) this.lines.delete(team);
      if (line.length > 0) this.lines.set(team, line);
      this.waiting -= 1;
      return one;
    }
    return undefined;
  }
}
