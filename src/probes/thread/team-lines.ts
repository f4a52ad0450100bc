/** Served entries are removed from a queue at the latest when there are this many; under overload it is never empty. */
const SERVED_AT_MOST = 4_096;

/** A first-in, first-out queue. */
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

/** A queue per team. Teams take turns, so that a team with many waiting entries does not delay the others. */
export class TeamLines<T> {
  /** The queues of the teams with waiting entries, in the order of their turns. */
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
      // Moves the team to the end until its next turn.
      if (this.lines.size > 1 || line.length === 0) this.lines.delete(team);
      if (line.length > 0) this.lines.set(team, line);
      this.waiting -= 1;
      return one;
    }
    return undefined;
  }
}
