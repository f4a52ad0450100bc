import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type TeamId } from '../../../http/auth/principal.js';
import { groupBy } from '../history/group-by.js';

/** A monitor of a team, as somebody who watches it names it. */
export interface Watched {
  teamId: TeamId;
  id: string;
}

/** A team whose new monitors somebody waits for. */
export interface WatchedTeam {
  teamId: TeamId;
  /** Epoch milliseconds: those that were made later are new. */
  sinceMs: number;
}

/** A new monitor, and when it was made (epoch milliseconds). */
export interface CreatedMonitor {
  id: string;
  atMs: number;
}

/** More new ones than these are not told one by one. */
const MAX_NEW = 100;

/**
 * What has changed of monitors, by whichever process: for those who watch some of them. Each question is one look by
 * primary key or index, whatever the number of monitors that there are.
 */
@Injectable()
export class MonitorChangesService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * By team, a text for each of these monitors that is another one whenever what is shown of it may be; those that the
   * team does not have, or no longer, are left out, whoever else watches them.
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

  /** The newest monitors of each team that were made since, at most 100 of each. */
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
