import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AppConfig } from '../../config/app-config.js';
import { type Role } from '../../config/roles.js';
import { isDatabaseAway } from '../../database/database-fault.js';
import { VERSION } from '../../probes/http/user-agent.js';
import { type WorkerFigures } from '../../redis/worker-report.js';
import { WorkerPresence } from './worker-presence.js';

const FORGOTTEN_AFTER = '1 day';

/** Knows the processes that share the work. Only those that may have to share, or make checks, report. */
@Injectable()
export class ProcessesService extends WorkerPresence {
  /** Identifies this process. */
  readonly id = uuidv7();

  constructor(
    private readonly dataSource: DataSource,
    private readonly config: AppConfig,
  ) {
    super();
  }

  async report(figures: WorkerFigures): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO processes (id, roles, version, worker) VALUES ($1, $2, $3, $4)
       ON CONFLICT (id) DO UPDATE SET seen_at = now(), worker = excluded.worker`,
      [this.id, this.config.get('ROLES'), VERSION, { location: this.config.get('LOCATION'), ...figures }],
    );
  }

  /** Reports this process, and returns the ids of all that have this role and reported within this time. */
  async living(role: Role, withinMs: number): Promise<string[]> {
    await this.dataSource.query(
      `INSERT INTO processes (id, roles, version) VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET seen_at = now()`,
      [this.id, this.config.get('ROLES'), VERSION],
    );
    const rows: { id: string }[] = await this.dataSource.query(
      `SELECT id FROM processes WHERE $1 = ANY(roles) AND seen_at > now() - $2 * interval '1 ms'`,
      [role, withinMs],
    );
    return rows.map(({ id }) => id);
  }

  /** Removes this process, so that the others share its work at once, and those that are gone for long. */
  async leave(): Promise<void> {
    await this.dataSource
      .query(`DELETE FROM processes WHERE id = $1 OR seen_at < now() - interval '${FORGOTTEN_AFTER}'`, [this.id])
      .catch((error: unknown) => {
        if (!isDatabaseAway(error)) throw error;
      });
  }
}
