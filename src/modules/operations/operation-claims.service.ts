import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AppConfig } from '../../config/app-config.js';
import { SecretBox } from '../../database/secret-box.js';
import { type Actor, SYSTEM_ACTOR } from '../../http/auth/actor.js';
import { type TeamId } from '../../http/auth/principal.js';
import { type BulkAction } from './bulk-request.js';

/** An operation that this process works on. */
export interface ClaimedOperation {
  id: string;
  teamId: TeamId;
  action: BulkAction;
  /** On whose behalf it changes monitors. */
  actor: Actor;
}

/** What is stored of an operation for those who work on it. */
export type OperationParameters = BulkAction & {
  /** Absent if an earlier version, which did not store it, created the operation. */
  actor?: Actor;
};

/** Longer than a batch takes. After a crash, another process continues after this long. */
export const CLAIM = "interval '30 seconds'";

/**
 * The right to work on an operation: one process at a time, until the claim expires. Not more than that: a process that
 * loses its claim may still finish the item that it works on, which is why each item has a guard of its own.
 */
@Injectable()
export class OperationClaimsService {
  readonly holder = uuidv7();

  constructor(
    private readonly dataSource: DataSource,
    private readonly box: SecretBox,
    private readonly config: AppConfig,
  ) {}

  /**
   * Claims the unfinished operation that has waited longest, so that operations take turns; `null` if there is none. The
   * embedded database has a single user, so there an earlier holder is dead.
   */
  async next(): Promise<ClaimedOperation | null> {
    const [rows]: [{ id: string; team_id: TeamId; parameters: string }[], number] = await this.dataSource.query(
      `UPDATE operations SET claimed_by = $1, claimed_until = now() + ${CLAIM}, started_at = coalesce(started_at, now())
       WHERE id = (
         SELECT id FROM operations WHERE finished_at IS NULL
           AND (claimed_until IS NULL OR claimed_until <= now() OR ($2 AND claimed_by <> $1))
         ORDER BY coalesce(claimed_until, created_at), id LIMIT 1 FOR UPDATE SKIP LOCKED
       ) RETURNING id, team_id, parameters`,
      [this.holder, this.config.embedded],
    );
    const [row] = rows;
    if (!row) return null;
    const { actor = SYSTEM_ACTOR, ...action } = JSON.parse(this.box.open(row.parameters)) as OperationParameters;
    return { id: row.id, teamId: row.team_id, action, actor };
  }

  /** Extends the claim. Returns whether this process still holds it. */
  async renew({ id }: ClaimedOperation): Promise<boolean> {
    return this.hold(id, CLAIM);
  }

  /** Lets any process continue, after a second with `later`. */
  async release({ id }: ClaimedOperation, later = false): Promise<void> {
    await this.hold(id, later ? "interval '1 second'" : "interval '-1 ms'");
  }

  /** Finishes an operation without unprocessed items. */
  async finish({ id }: ClaimedOperation): Promise<void> {
    await this.dataSource.query(
      `UPDATE operations SET finished_at = now(), parameters = NULL
       WHERE id = $1 AND finished_at IS NULL
         AND NOT EXISTS (SELECT FROM operation_items WHERE operation_id = $1 AND status IS NULL)`,
      [id],
    );
  }

  private async hold(id: string, forLong: string): Promise<boolean> {
    const [, held]: [unknown[], number] = await this.dataSource.query(
      `UPDATE operations SET claimed_until = now() + ${forLong}
       WHERE id = $1 AND claimed_by = $2 AND finished_at IS NULL`,
      [id, this.holder],
    );
    return held === 1;
  }
}
