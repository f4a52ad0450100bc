import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type TeamId } from '../../http/auth/principal.js';
import { CostlyReads } from '../../http/throttle/costly-reads.js';
import { windowOf } from '../uptime/uptime.service.js';
import {
  type AlertingFiguresDto,
  type AlertingReportDto,
  type AlertingReportQuery,
  type AlertingTimesDto,
} from './dto/alerting-report.dto.js';

const DEFAULT_DAYS = 30;
const MAX_INCIDENTS = 10_000;

/** Two percentiles in seconds; null without values. */
type Percentiles = [number, number] | null;

interface FiguresRecord {
  grouped_by: 'total' | 'policy' | 'channel';
  id: string | null;
  name: string | null;
  incidents: number;
  notified: number;
  acknowledged: number;
  confirmed_after: Percentiles;
  sent_after: Percentiles;
  acknowledged_after: Percentiles;
}

/** Creates reports of how fast alerts reach people. */
@Injectable()
export class AlertingReports {
  constructor(
    private readonly dataSource: DataSource,
    private readonly reads: CostlyReads,
  ) {}

  /** Creates a report. @throws 400 for an invalid period; 429 if too many such requests of the team are waiting */
  report(teamId: TeamId, query: AlertingReportQuery): Promise<AlertingReportDto> {
    return this.reads.run(teamId, () => this.read(teamId, query));
  }

  private async read(teamId: TeamId, query: AlertingReportQuery): Promise<AlertingReportDto> {
    const nowMs = Date.now();
    const { fromMs, toMs } = windowOf(query, nowMs, DEFAULT_DAYS);
    const rows: FiguresRecord[] = await this.dataSource.query(FIGURES, [teamId, new Date(fromMs), new Date(toMs)]);
    const groups = (by: FiguresRecord['grouped_by']) => rows.filter((row) => row.grouped_by === by);
    return {
      from: new Date(fromMs).toISOString(),
      to: new Date(toMs).toISOString(),
      timezone: 'UTC',
      computedAt: new Date(nowMs).toISOString(),
      total: figuresOf(groups('total')[0]!),
      policies: groups('policy').map((row) => ({ policyId: row.id!, name: row.name, ...figuresOf(row) })),
      channels: groups('channel').map((row) => ({
        // The id of the team stands for the email of its owners.
        channelId: row.id === teamId ? null : row.id,
        name: row.name,
        ...figuresOf(row),
      })),
    };
  }
}

/**
 * The figures of all groups. An incident counts once in each group, with its first alert there; an alert that was part
 * of another message was sent with that one. The total has a row even without incidents.
 */
const FIGURES = `
  WITH failures AS MATERIALIZED (
    SELECT id, started_at, confirmed_at, acknowledged_at FROM incidents
    WHERE team_id = $1 AND started_at >= $2 AND started_at < $3 AND kind = 'detected' AND confirmed_at IS NOT NULL
      AND resolved_at IS DISTINCT FROM started_at
    ORDER BY started_at DESC, id DESC LIMIT ${MAX_INCIDENTS}
  ), alerts AS MATERIALIZED (
    SELECT n.incident_id, n.policy_id, n.channel_id, coalesce(n.sent_at, whole.sent_at) AS sent_at
    FROM failures f JOIN notifications n ON n.team_id = $1 AND n.incident_id = f.id
    LEFT JOIN notifications whole ON whole.key = n.collected_into
    WHERE n.kind = 'trigger' AND coalesce(n.sent_at, whole.sent_at) IS NOT NULL
  ), firsts AS (
    SELECT 'total' AS grouped_by, NULL::uuid AS id, f.id AS incident_id, min(a.sent_at) AS sent_at
      FROM failures f LEFT JOIN alerts a ON a.incident_id = f.id GROUP BY f.id
    UNION ALL
    SELECT 'policy', policy_id, incident_id, min(sent_at) FROM alerts WHERE policy_id IS NOT NULL
      GROUP BY policy_id, incident_id
    UNION ALL
    SELECT 'channel', channel_id, incident_id, min(sent_at) FROM alerts WHERE channel_id IS NOT NULL
      GROUP BY channel_id, incident_id
  ), figures AS (
    SELECT grouped_by, t.id, count(*)::int AS incidents, count(sent_at)::int AS notified,
      count(*) FILTER (WHERE acknowledged_at >= sent_at)::int AS acknowledged,
      ${percentiles('f.confirmed_at - f.started_at')} AS confirmed_after,
      ${percentiles("greatest(sent_at - f.confirmed_at, interval '0')", 'sent_at IS NOT NULL')} AS sent_after,
      ${percentiles('f.acknowledged_at - sent_at', 'acknowledged_at >= sent_at')} AS acknowledged_after
    FROM firsts t JOIN failures f ON f.id = t.incident_id GROUP BY grouped_by, t.id
  )
  SELECT figures.*, coalesce(p.name, c.name) AS name FROM figures
  LEFT JOIN notification_policies p ON p.team_id = $1 AND grouped_by = 'policy' AND p.id = figures.id
  LEFT JOIN notification_channels c ON c.team_id = $1 AND grouped_by = 'channel' AND c.id = figures.id
  UNION ALL
  SELECT 'total', NULL, 0, 0, 0, NULL, NULL, NULL, NULL WHERE NOT EXISTS (SELECT FROM failures)
  ORDER BY grouped_by, id`;

/** SQL: the median and the 95th percentile of an interval, in seconds. */
function percentiles(interval: string, condition = 'true'): string {
  return `percentile_cont('{0.5,0.95}'::float8[]) WITHIN GROUP (ORDER BY extract(epoch FROM ${interval})::float8)
    FILTER (WHERE ${condition})`;
}

function figuresOf(row: FiguresRecord): AlertingFiguresDto {
  return {
    incidentCount: row.incidents,
    notifiedCount: row.notified,
    acknowledgedCount: row.acknowledged,
    failureToConfirmed: timesOf(row.confirmed_after),
    confirmedToSent: timesOf(row.sent_after),
    sentToAcknowledged: timesOf(row.acknowledged_after),
  };
}

function timesOf(percentiles: Percentiles): AlertingTimesDto {
  const [median = null, p95 = null] = percentiles ?? [];
  return { medianSeconds: rounded(median), p95Seconds: rounded(p95) };
}

/** Rounds to milliseconds. */
function rounded(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 1_000) / 1_000;
}
