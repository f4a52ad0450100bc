import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { notifiedCondition } from './notified-monitors.query.js';

export interface UnheardCount {
  unheard: number;
  total: number;
}

/** Counts the monitors of whose outages nobody is notified, for the operator. */
@Injectable()
export class UnheardMonitors {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns their number over all teams, and that of all monitors. */
  async count(): Promise<UnheardCount> {
    const [row]: UnheardCount[] = await this.dataSource.query(
      `SELECT coalesce(sum(own.unheard), 0)::int AS unheard, coalesce(sum(own.total), 0)::int AS total
       FROM teams t CROSS JOIN LATERAL (
         SELECT count(*) AS total, count(*) FILTER (WHERE NOT ${notifiedCondition('t.id')}) AS unheard
         FROM monitors m WHERE m.team_id = t.id) AS own`,
    );
    return row!;
  }
}
