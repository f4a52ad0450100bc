interface Due<T> {
  at: number;
  what: T;
}

/** What comes due when, earliest first. Adding and taking cost O(log n). */
export class DueHeap<T> {
  private readonly items: Due<T>[] = [];

  get size(): number {
    return this.items.length;
  }

  add(at: number, what: T): void {
    const { items } = this;
    let index = items.length;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (items[parent]!.at <= at) break;
      items[index] = items[parent]!;
      index = parent;
    }
    items[index] = { at, what };
  }

  /** Takes the earliest that is due by `now`; `undefined` where none is. */
  takeDue(now: number): T | undefined {
    const { items } = this;
    const first = items[0];
    if (!first || first.at > now) return undefined;
    const last = items.pop()!;
    if (items.length > 0) this.sink(last);
    return first.what;
  }

  clear(): void {
    this.items.length = 0;
  }

  private sink(item: Due<T>): void {
    const { items } = this;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && items[child + 1]!.at < items[child]!.at) child += 1;
      if (items[child]!.at >= item.at) break;
      items[index] = items[child]!;
      index = child;
    }
    items[index] = item;
  }
}
