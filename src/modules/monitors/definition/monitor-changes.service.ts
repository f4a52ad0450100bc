import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type TeamId } from '../../../http/auth/principal.js';
import { groupBy } from '../../../domain/group-by.js';

/** A monitor that a client watches for changes. */
export interface Watched {
  teamId: TeamId;
  id: string;
}

/** A team that a client watches for new monitors. */
export interface WatchedTeam {
  teamId: TeamId;
  /** Epoch milliseconds. Monitors created after this time are new. */
  sinceMs: number;
}

/** A new monitor, and when it was created (epoch milliseconds). */
export interface CreatedMonitor {
  id: string;
  atMs: number;
}

/** Maximum number of new monitors that are reported per team. */
const MAX_NEW = 100;

/**
 * Detects changes of watched monitors, whichever process made them. Each method runs a single query by primary key or
 * index, whose cost does not depend on the total number of monitors.
 */
@Injectable()
export class MonitorChangesService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns a mark for each of these monitors, by team. The mark changes whenever the displayed data of the monitor may
   * have changed. Monitors that the team does not have, or no longer has, are omitted.
   */
  async marks(watched: readonly Watched[]): Promise<Map<string, Map<string, string>>> {
    if (watched.length === 0) return new Map();
    const rows: { team_id: TeamId; id: string; mark: string }[] = await this.dataSource.query(
      `SELECT t.team_id, m.id, concat_ws('/', m.revision, s.version, s.status, s.verifying, s.status_since, l.last_check_at) AS mark
       FROM unnest($1::uuid[], $2::uuid[]) AS t (team_id, id)
       JOIN monitors m ON m.team_id = t.team_id AND m.id = t.id
       JOIN monitor_states s ON s.monitor_id = m.id
       LEFT JOIN LATERAL (
         SELECT max(last_check_at) AS last_check_at FROM location_states WHERE monitor_id = m.id
       ) AS l ON true`,
      [watched.map(({ teamId }) => teamId), watched.map(({ id }) => id)],
    );
    const byTeam = groupBy(rows, ({ team_id: teamId }) => teamId);
    return new Map([...byTeam].map(([teamId, own]) => [teamId, new Map(own.map(({ id, mark }) => [id, mark]))]));
  }

  /** Returns the newest monitors that each team created since the given time, at most 100 per team. */
  async created(teams: readonly WatchedTeam[]): Promise<Map<string, CreatedMonitor[]>> {
    if (teams.length === 0) return new Map();
    const rows: { team_id: TeamId; id: string; created_at: Date }[] = await this.dataSource.query(
      `SELECT t.team_id, m.id, m.created_at FROM unnest($1::uuid[], $2::timestamptz[]) AS t (team_id, since)
       CROSS JOIN LATERAL (
         SELECT id, created_at FROM monitors WHERE team_id = t.team_id AND created_at > t.since
         ORDER BY created_at DESC, id DESC LIMIT ${MAX_NEW}
       ) AS m`,
      [teams.map(({ teamId }) => teamId), teams.map(({ sinceMs }) => new Date(sinceMs))],
    );
    return groupBy(
      rows.map((row) => ({ teamId: row.team_id, id: row.id, atMs: row.created_at.getTime() })),
      ({ teamId }) => teamId,
    );
  }
}
