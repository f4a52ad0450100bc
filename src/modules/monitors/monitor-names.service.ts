import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** The name of a monitor, and other data that identifies it to operators. */
export interface MonitorName {
  id: string;
  revision: number;
  teamId: string;
  key: string | null;
  name: string;
  type: string;
}

/** Reads the names of monitors of all teams, for operators. */
@Injectable()
export class MonitorNamesService {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the names of these monitors. Deleted monitors are omitted. */
  of(ids: readonly string[]): Promise<MonitorName[]> {
    return this.dataSource.query(
      'SELECT id, revision, team_id AS "teamId", key, name, type FROM monitors WHERE id = ANY($1::uuid[])',
      [ids],
    );
  }
}
