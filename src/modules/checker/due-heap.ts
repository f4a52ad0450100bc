const FIRST_ROOM = 1_024;

/**
 * A heap of items by due time, earliest first. Adding and taking cost O(log n). Times are stored apart from the items,
 * because only times are compared.
 */
export class DueHeap<T> {
  private times = new Float64Array(FIRST_ROOM);
  private readonly items: T[] = [];

  get size(): number {
    return this.items.length;
  }

  add(at: number, item: T): void {
    const { items } = this;
    if (items.length === this.times.length) this.grow();
    const { times } = this;
    let index = items.length;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (times[parent]! <= at) break;
      times[index] = times[parent]!;
      items[index] = items[parent]!;
      index = parent;
    }
    times[index] = at;
    items[index] = item;
  }

  /** Removes and returns the earliest item that is due by `now`, or `undefined` if there is none. */
  takeDue(now: number): T | undefined {
    const { items, times } = this;
    if (items.length === 0 || times[0]! > now) return undefined;
    const first = items[0];
    const last = items.pop()!;
    if (items.length > 0) this.sink(times[items.length]!, last);
    return first;
  }

  clear(): void {
    this.items.length = 0;
  }

  private sink(at: number, item: T): void {
    const { items, times } = this;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && times[child + 1]! < times[child]!) child += 1;
      if (times[child]! >= at) break;
      times[index] = times[child]!;
      items[index] = items[child]!;
      index = child;
    }
    times[index] = at;
    items[index] = item;
  }

  private grow(): void {
    const times = new Float64Array(2 * this.times.length);
    times.set(this.times);
    this.times = times;
  }
}
