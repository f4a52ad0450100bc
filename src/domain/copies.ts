/** A value that knows its current size in memory, which may grow while the value is cached. */
export interface Sized {
  readonly bytes: number;
}

export interface CopiesOptions {
  /** A copy younger than this is returned without being renewed. */
  freshMs: number;
  /** A copy between `freshMs` and this age is returned while a new one is created. For an older one, callers wait. */
  usableMs: number;
  /** Limit for all copies together. The most recently requested copy is retained even if it exceeds the limit. */
  maxBytes: number;
  /** Returns milliseconds of a monotonic clock. */
  now: () => number;
}

/** Describes which copies are acceptable. */
export interface Wanted {
  /** Version of the underlying data, which others can change: a copy of another version is stale. */
  version: string;
  /** When that version was queried, by the clock of the copies. */
  askedAtMs: number;
}

interface Copy<T> extends Wanted {
  value: T;
  madeAtMs: number;
}

interface Making<T> extends Wanted {
  copy: Promise<T>;
}

/**
 * A cache of values that are expensive to create. Creates at most one copy per key at a time, and only on request. A
 * caller sees everything that was written before its request.
 */
export class Copies<T extends Sized> {
  /** Least recently requested first. */
  private readonly copies = new Map<string, Copy<T>>();
  private readonly makings = new Map<string, Making<T>>();

  constructor(private readonly options: CopiesOptions) {}

  /**
   * Returns an acceptable copy, and creates one if needed.
   * @param make creates a copy; if it throws, an existing copy is retained
   */
  async get(key: string, wanted: Wanted, make: () => Promise<T>): Promise<T> {
    for (;;) {
      const copy = this.copies.get(key);
      if (copy && serves(copy, wanted)) {
        this.touch(key, copy);
        const ageMs = this.options.now() - copy.madeAtMs;
        if (ageMs < this.options.freshMs) return copy.value;
        if (ageMs < this.options.usableMs) {
          // A failure surfaces at the latest once the copy is too old to be returned.
          if (!this.makings.has(key)) this.begin(key, wanted, make).catch(() => undefined);
          return copy.value;
        }
      }
      const making = this.makings.get(key);
      if (!making) return this.begin(key, wanted, make);
      if (serves(making, wanted)) return making.copy;
      await making.copy.catch(() => undefined);
    }
  }

  /** Returns the existing copy, regardless of its age and version. */
  last(key: string): T | null {
    const copy = this.copies.get(key);
    if (copy) this.touch(key, copy);
    return copy?.value ?? null;
  }

  /** Removes the copy. A copy that is being created is still delivered to its waiting callers, but not cached. */
  forget(key: string): void {
    this.copies.delete(key);
    this.makings.delete(key);
  }

  /** Evicts copies until the remaining ones fit. Must be called when a copy has grown. */
  trim(): void {
    let bytes = 0;
    for (const { value } of this.copies.values()) bytes += value.bytes;
    for (const [key, { value }] of this.copies) {
      if (bytes <= this.options.maxBytes || this.copies.size === 1) return;
      this.copies.delete(key);
      bytes -= value.bytes;
    }
  }

  private begin(key: string, wanted: Wanted, make: () => Promise<T>): Promise<T> {
    const making: Making<T> = { ...wanted, copy: make() };
    this.makings.set(key, making);
    return making.copy
      .then((value) => {
        if (this.makings.get(key) === making) {
          this.touch(key, { ...wanted, value, madeAtMs: this.options.now() });
          this.trim();
        }
        return value;
      })
      .finally(() => {
        if (this.makings.get(key) === making) this.makings.delete(key);
      });
  }

  private touch(key: string, copy: Copy<T>): void {
    this.copies.delete(key);
    this.copies.set(key, copy);
  }
}

/** A copy whose version was queried later serves too: it includes everything that was written before. */
function serves(copy: Wanted, { version, askedAtMs }: Wanted): boolean {
  return copy.version === version || copy.askedAtMs >= askedAtMs;
}
