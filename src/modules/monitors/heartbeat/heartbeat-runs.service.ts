import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** What a job reported at the end of a run. */
export interface RecordedRun {
  runId: string | null;
  exitStatus: number | null;
  durationMs: number | null;
  log: string | null;
}

/** The part of a check's key that a report shares. */
interface ReportKey {
  scheduledAt: Date;
  attempt: number;
}

/** Reads what jobs reported. */
@Injectable()
export class HeartbeatRunsService {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the runs that these checks of a monitor are about, in the same order; `null` where no report arrived. */
  async of(monitorId: string, checks: readonly ReportKey[]): Promise<(RecordedRun | null)[]> {
    if (checks.length === 0) return [];
    const rows: (RecordedRun & { place: number })[] = await this.dataSource.query(
      `SELECT t.place::int, p.run_id AS "runId", p.exit_status AS "exitStatus", p.duration_ms AS "durationMs", p.body AS log
       FROM unnest($2::timestamptz[], $3::int[]) WITH ORDINALITY AS t (received_at, attempt, place)
       JOIN pings p ON p.monitor_id = $1 AND p.received_at = t.received_at AND p.attempt = t.attempt`,
      [monitorId, checks.map(({ scheduledAt }) => scheduledAt), checks.map(({ attempt }) => attempt)],
    );
    const runs = checks.map((): RecordedRun | null => null);
    for (const { place, ...run } of rows) runs[place - 1] = run;
    return runs;
  }

  /**
   * Returns when a job reported that its latest runs began, or, if it does not report that, that they ended: epoch
   * milliseconds since `sinceMs`, oldest first.
   */
  async latestReports(monitorId: string, sinceMs: number, count: number): Promise<number[]> {
    const rows: { at: Date }[] = await this.dataSource.query(
      `WITH latest AS (SELECT received_at AS at, kind FROM pings
         WHERE monitor_id = $1 AND received_at >= $2 AND kind <> 'log' ORDER BY received_at DESC LIMIT $3)
       SELECT at FROM latest WHERE kind = 'start' OR NOT EXISTS (SELECT FROM latest WHERE kind = 'start') ORDER BY at`,
      [monitorId, new Date(sinceMs), count],
    );
    return rows.map(({ at }) => at.getTime());
  }
}
