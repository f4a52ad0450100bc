import { Injectable } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { DataSource, type EntityManager } from 'typeorm';
import { refusesWrites } from './database-fault.js';

declare const TX: unique symbol;

/** An open transaction. Opaque, the only database value that crosses a module border, and always the first argument. */
export interface Tx {
  readonly [TX]: true;
}

/** Returns the entity manager of a transaction, for a module that writes its own tables. */
export function managerOf(tx: Tx): EntityManager {
  return tx as unknown as EntityManager;
}

const AFTER_COMMIT = new WeakMap<Tx, (() => void)[]>();

/**
 * Calls `action` once this transaction has committed, and never if it is rolled back: for memory, such as counters, that
 * must agree with the database. `action` must not throw. Has an effect only inside `Transactions.run`.
 */
export function afterCommit(tx: Tx, action: () => void): void {
  AFTER_COMMIT.set(tx, [...(AFTER_COMMIT.get(tx) ?? []), action]);
}

type Guard = (tx: Tx) => Promise<void>;
const GUARD = new AsyncLocalStorage<Guard>();

/** Deadlock and serialization failures: the whole transaction was rolled back and may simply run again. */
const RETRYABLE = new Set(['40001', '40P01']);
const ATTEMPTS = 4;
/** How long a rejected write counts as the current state. After that, only another attempt can tell. */
const REMEMBERED_MS = 60_000;

/** Runs work in one transaction, which commits completely or not at all. */
@Injectable()
export class Transactions {
  private refusedAt: number | null = null;

  constructor(private readonly dataSource: DataSource) {}

  /** Whether the database rejected the latest write, within the last minute, while it was reachable. */
  get areRefused(): boolean {
    return this.refusedAt !== null && performance.now() - this.refusedAt < REMEMBERED_MS;
  }

  /** Runs reads on one consistent snapshot, whatever is written meanwhile. */
  async snapshot<T>(read: (tx: Tx) => Promise<T>): Promise<T> {
    return this.dataSource.transaction('REPEATABLE READ', (manager) => read(manager as unknown as Tx));
  }

  /**
   * Runs `work`. Each transaction that it runs calls `guard` first, which throws if the right to do the work was lost:
   * then nothing of the transaction is stored.
   */
  guarded<T>(guard: Guard, work: () => Promise<T>): Promise<T> {
    return GUARD.run(guard, work);
  }

  /**
   * Runs `work`, possibly more than once (deadlock, serialization failure): it must not act outside the transaction,
   * except through `afterCommit`.
   */
  async run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        let actions: (() => void)[] = [];
        const outcome = await this.dataSource.transaction(async (manager) => {
          const tx = manager as unknown as Tx;
          await GUARD.getStore()?.(tx);
          const result = await work(tx);
          actions = AFTER_COMMIT.get(tx) ?? [];
          return result;
        });
        this.refusedAt = null;
        // What they start is not part of guarded work.
        GUARD.exit(() => actions.forEach((action) => action()));
        return outcome;
      } catch (error) {
        if (refusesWrites(error)) this.refusedAt = performance.now();
        const code = (error as { driverError?: { code?: string } }).driverError?.code ?? '';
        if (attempt === ATTEMPTS || !RETRYABLE.has(code)) throw error;
      }
    }
  }
}
