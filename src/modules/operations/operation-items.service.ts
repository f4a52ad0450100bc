import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { managerOf, type Tx } from '../../database/tx.js';
import { type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { type ProblemException } from '../../http/problems/problem.js';
import { type ClaimedOperation } from './operation-claims.service.js';

/** A monitor that an operation has not processed. */
export interface OpenItem {
  place: number;
  /** The id of the monitor. */
  address: string;
}

/** Thrown in the transaction of a change that another process has already made, so that it is rolled back. */
export class ItemProcessed extends Error {
  override readonly name = 'ItemProcessed';
}

/** These do not write to the monitor, or delete it, so its row does not show whether they had an effect. */
const ALWAYS_EFFECTIVE: ReadonlySet<string> = new Set(['check', 'delete']);

/** Reads and writes the progress of operations. An item gets its result once, whoever works on it. */
@Injectable()
export class OperationItemsService {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the next items to process, at most `limit`. */
  open({ id }: ClaimedOperation, limit: number): Promise<OpenItem[]> {
    return this.dataSource.query(
      `SELECT place, address FROM operation_items WHERE operation_id = $1 AND status IS NULL ORDER BY place LIMIT $2`,
      [id, limit],
    );
  }

  /**
   * Stores the success of an item in the transaction that changes its monitor, instead of a response: both are
   * committed, or neither. It is `unchanged` if the transaction did not write the monitor.
   */
  keeping({ id, action }: ClaimedOperation, { place, address }: OpenItem): KeepAnswer {
    const store = async (tx: Tx): Promise<void> => {
      const [, stored]: [unknown[], number] = await managerOf(tx).query(
        `UPDATE operation_items SET status = CASE
           WHEN $3 OR EXISTS (SELECT FROM monitors WHERE id = $4 AND xmin = pg_current_xact_id()::xid) THEN 'succeeded'
           ELSE 'unchanged' END
         WHERE operation_id = $1 AND place = $2 AND status IS NULL`,
        [id, place, ALWAYS_EFFECTIVE.has(action.kind), address],
      );
      if (stored !== 1) throw new ItemProcessed();
    };
    return { in: store, promiseIn: store };
  }

  /** Stores the failure of an item, unless it has a result. */
  async fail({ id }: ClaimedOperation, { place }: OpenItem, problem: ProblemException): Promise<void> {
    const { code, detail, errors = [] } = problem;
    await this.dataSource.query(
      `UPDATE operation_items SET status = 'failed', error = $3
       WHERE operation_id = $1 AND place = $2 AND status IS NULL`,
      [id, place, JSON.stringify({ code, detail, errors })],
    );
  }
}
