import { LRUCache } from 'lru-cache';
import { before, type Deadline } from '../deadline.js';

/** An answer, and how long it may be used. */
export interface Answer<T> {
  value: T;
  lifeMs: number;
}

/** What a check asks, as long as nobody has the answer. */
export interface Question<T> {
  key: string;
  /** Asks. Rejects at the deadline of the check. */
  ask: () => Promise<Answer<T>>;
  /** Why the check fails if another one asks, and has no answer at the deadline. */
  late: () => Error;
}

interface Entry<T> {
  value: Promise<T>;
  /** The answer, once there is one. */
  settled?: T;
  /** The deadline of the check that asks, if asking has no time limit of its own. */
  deadline: Deadline | null;
  /** Milliseconds of the monotonic clock. */
  askedAt: number;
  expiresAt: number;
}

/**
 * How long others may join a check that asks: long enough for those that start together, and so short that they do not
 * wait for a server that stopped responding before they started.
 */
const JOIN_WITHIN_MS = 1_000;

/**
 * Answers to questions that many checks have. Each is asked for once, however many wait for it, and used until it expires;
 * a failure is not kept. Allocates for its maximum when it is created.
 */
export class SharedAnswers<T> {
  private readonly entries: LRUCache<string, Entry<T>>;

  constructor(max: number) {
    this.entries = new LRUCache({ max });
  }

  /** Returns the answer, if there is one already. */
  latest(key: string): T | undefined {
    return this.valid(key)?.settled;
  }

  /** Returns the answer, which `ask` gives if there is none. Rejects like `ask`, which has a time limit of its own. */
  get(key: string, ask: () => Promise<Answer<T>>): Promise<T> {
    return (this.valid(key) ?? this.asked(key, ask, null)).value;
  }

  /**
   * Returns the answer to a question of a check, which `ask` gives if there is none. Rejects like `ask`, or with `late` at
   * the deadline of the check. If another check asks already and has an earlier deadline, this one may ask again.
   */
  async getBefore(deadline: Deadline, { key, ask, late }: Question<T>): Promise<T> {
    for (;;) {
      const known = this.valid(key);
      const mayJoin = known && (known.settled !== undefined || performance.now() - known.askedAt < JOIN_WITHIN_MS);
      if (!mayJoin) return this.asked(key, ask, deadline).value;
      try {
        return await before(deadline, known.value, late);
      } catch (error) {
        if (deadline.isOver || !known.deadline?.isOver) throw error;
      }
    }
  }

  /** Forgets an answer, unless a later one has replaced it. */
  forget(key: string, answer: T): void {
    if (this.entries.get(key)?.settled === answer) this.entries.delete(key);
  }

  private valid(key: string): Entry<T> | undefined {
    const known = this.entries.get(key);
    return known && performance.now() < known.expiresAt ? known : undefined;
  }

  private asked(key: string, ask: () => Promise<Answer<T>>, deadline: Deadline | null): Entry<T> {
    const value = ask().then(
      (answer) => {
        entry.settled = answer.value;
        entry.expiresAt = performance.now() + answer.lifeMs;
        return answer.value;
      },
      (error: unknown) => {
        entry.expiresAt = 0;
        throw error;
      },
    );
    const entry: Entry<T> = { value, deadline, askedAt: performance.now(), expiresAt: Infinity };
    this.entries.set(key, entry);
    return entry;
  }
}
