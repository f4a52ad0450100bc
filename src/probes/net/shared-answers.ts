import { LRUCache } from 'lru-cache';

/** An answer, and how long it may be used. */
export interface Answer<T> {
  value: T;
  lifeMs: number;
}

interface Entry<T> {
  value: Promise<T>;
  /** Milliseconds of the monotonic clock. */
  expiresAt: number;
}

/**
 * Answers to questions that many checks have. Each is asked for once, however many wait for it, and used until it expires;
 * a failure is not kept. Allocates for its maximum when it is created.
 */
export class SharedAnswers<T> {
  private readonly entries: LRUCache<string, Entry<T>>;

  constructor(max: number) {
    this.entries = new LRUCache({ max });
  }

  /** Returns whether there is an answer, or will be, because somebody has asked. */
  has(key: string): boolean {
    return performance.now() < (this.entries.get(key)?.expiresAt ?? 0);
  }

  /** Returns the answer, which `ask` gives if there is none. Rejects like `ask`. */
  get(key: string, ask: () => Promise<Answer<T>>): Promise<T> {
    const known = this.entries.get(key);
    if (known && performance.now() < known.expiresAt) return known.value;
    const value = ask().then(
      (answer) => {
        entry.expiresAt = performance.now() + answer.lifeMs;
        return answer.value;
      },
      (error: unknown) => {
        entry.expiresAt = 0;
        throw error;
      },
    );
    const entry: Entry<T> = { value, expiresAt: Infinity };
    this.entries.set(key, entry);
    return value;
  }

  forget(key: string): void {
    this.entries.delete(key);
  }
}
