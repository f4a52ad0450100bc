interface Waiting<K, V> {
  key: K;
  resolve: (value: V) => void;
  reject: (error: unknown) => void;
}

/**
 * Combines the reads that callers request in the same turn of the event loop into one. The busier the process, the
 * fewer statements a request costs, and no request waits for the statement of another turn. `read` returns one result
 * per key, in the same order; if it fails, all of its callers fail.
 */
export class GatheredReads<K, V> {
  private waiting: Waiting<K, V>[] = [];

  constructor(
    private readonly read: (keys: readonly K[]) => Promise<readonly V[]>,
    /** Maximum number of keys per read. */
    private readonly most = 100,
  ) {}

  /** Returns what is stored under the key, no older than this call. */
  get(key: K): Promise<V> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length === 0) setImmediate(() => this.flush());
      this.waiting.push({ key, resolve, reject });
    });
  }

  private flush(): void {
    const all = this.waiting;
    this.waiting = [];
    for (let from = 0; from < all.length; from += this.most) void this.serve(all.slice(from, from + this.most));
  }

  private async serve(batch: readonly Waiting<K, V>[]): Promise<void> {
    try {
      const values = await this.read(batch.map(({ key }) => key));
      for (const [at, { resolve }] of batch.entries()) resolve(values[at]!);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
