/** Collects what is sent to one destination, and sends it together after a while or once it is a batch. */
export class Gathered<T> {
  private items: T[] = [];
  private waiting: { resolve: () => void; reject: (reason: unknown) => void }[] = [];
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly send: (items: readonly T[]) => Promise<void>,
    private readonly batch: number,
    private readonly withinMs: number,
  ) {}

  /** Resolves once the items are sent, at once if they are urgent. Rejects if they could not be. */
  add(items: readonly T[], areUrgent = false): Promise<void> {
    this.items.push(...items);
    const sent = new Promise<void>((resolve, reject) => this.waiting.push({ resolve, reject }));
    if (areUrgent || this.items.length >= this.batch) void this.flush();
    else this.timer ??= setTimeout(() => void this.flush(), this.withinMs);
    return sent;
  }

  /** Sends at once what has been collected. Resolves when that has ended; those who added it learn how. */
  async flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const [items, waiting] = [this.items, this.waiting];
    this.items = [];
    this.waiting = [];
    if (items.length === 0) return;
    try {
      await this.send(items);
      for (const { resolve } of waiting) resolve();
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }
}
