import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** What people call a monitor. */
export interface MonitorName {
  id: string;
  revision: number;
  teamId: string;
  key: string | null;
  name: string;
  type: string;
}

/** Tells how monitors are called, for operators: spans all teams. */
@Injectable()
export class MonitorNamesService {
  constructor(private readonly dataSource: DataSource) {}

  /** The names of these monitors, those that are gone left out. */
  of(ids: readonly string[]): Promise<MonitorName[]> {
    return this.dataSource.query(
      'SELECT id, revision, team_id AS "teamId", key, name, type FROM monitors WHERE id = ANY($1::uuid[])',
      [ids],
    );
  }
}
