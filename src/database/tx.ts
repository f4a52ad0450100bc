import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { refusesWrites } from './database-fault.js';

declare const TX: unique symbol;

/** An open transaction: opaque, the only database value that crosses a module border, and always the first argument. */
export interface Tx {
  readonly [TX]: true;
}

/** The manager of a transaction, for the module that writes its own tables in it. */
export function managerOf(tx: Tx): EntityManager {
  return tx as unknown as EntityManager;
}

/** Deadlock and serialization failures: the transaction was rolled back whole and may simply run again. */
const RETRYABLE = new Set(['40001', '40P01']);
const ATTEMPTS = 4;
/** A refusal is taken for the present state no longer: without another attempt nobody knows. */
const REMEMBERED_MS = 60_000;

/** Runs work in one transaction: all of it is committed, or nothing. */
@Injectable()
export class Transactions {
  private refusedAt: number | null = null;

  constructor(private readonly dataSource: DataSource) {}

  /** Whether the database has refused the latest write, within the last minute, and could be read nevertheless. */
  get areRefused(): boolean {
    return this.refusedAt !== null && performance.now() - this.refusedAt < REMEMBERED_MS;
  }

  /** Reads of one and the same moment, whatever is written meanwhile. */
  async snapshot<T>(read: (tx: Tx) => Promise<T>): Promise<T> {
    return this.dataSource.transaction('REPEATABLE READ', (manager) => read(manager as unknown as Tx));
  }

  /** `work` may run more than once (deadlock, serialization failure), so it must have no effect outside the transaction. */
  async run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        const outcome = await this.dataSource.transaction((manager) => work(manager as unknown as Tx));
        this.refusedAt = null;
        return outcome;
      } catch (error) {
        if (refusesWrites(error)) this.refusedAt = performance.now();
        const code = (error as { driverError?: { code?: string } }).driverError?.code ?? '';
        if (attempt === ATTEMPTS || !RETRYABLE.has(code)) throw error;
      }
    }
  }
}
