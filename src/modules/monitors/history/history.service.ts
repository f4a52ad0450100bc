import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { managerOf, type Tx } from '../../../database/tx.js';
import { type Hold } from '../../../domain/data-gap.js';
import { withoutVote } from '../../../domain/location-votes.js';
import { type ConfirmedStatus, type QuorumHistory } from '../../../domain/quorum.js';
import { isInScope, type ShardScope } from '../../../domain/shard.js';
import { type Span } from '../../../domain/span.js';
import { type LocationHistory } from '../../../domain/state-timeline.js';
import { groupBy } from '../../../domain/group-by.js';
import { type SpanKind } from './span.entity.js';
import { type AbsenceReason } from './spans.service.js';
import { quorumOf } from '../state/state-records.js';

/** The data from which the uptime of a monitor is computed. Times are epoch milliseconds. */
export interface MonitorHistory {
  monitorId: string;
  teamId: string;
  name: string;
  createdAtMs: number;
  quorum: QuorumHistory;
  locations: RecordedLocation[];
  spans: { paused: Span[]; maintenance: Span[]; excluded: Span[] };
  /** Absences of the service: spans without checks from one of the locations. Oldest first. */
  absences: Absence[];
}

/** A span in which the service made no checks, and why. */
export interface Absence extends Span {
  reason: AbsenceReason;
}

export interface HistoryOptions {
  /** Ignores exclusions. */
  raw?: boolean;
  /** Only the history at this location. */
  location?: string;
  /** Includes the uncommitted writes of this transaction. */
  tx?: Tx;
}

/** The history at one location. */
export interface RecordedLocation extends LocationHistory {
  location: string;
}

interface TransitionRecord {
  monitor_id: string;
  location: string;
  at: Date;
  confirmed_at: Date;
  to_status: ConfirmedStatus;
}

interface SpanRecord extends ShardScope {
  monitor_id: string | null;
  location: string | null;
  kind: SpanKind;
  starts_at: Date;
  ends_at: Date | null;
  reason: string | null;
}

interface HistoryRecord {
  id: string;
  team_id: string;
  name: string;
  created_at: Date;
  /** Oldest first, at least one. */
  schedules: { from: number; intervalMs: number; quorum: string }[];
  location: string;
  missing_from: Date | null;
  holds_until: Date | null;
  last_check_at: Date | null;
  /** 0 if the monitor waits for reports. */
  interval_seconds: number;
  /** Since when the monitor is no longer checked from this location; `null` if it is. */
  dropped_at: Date | null;
}

/**
 * Reads the data from which uptime is computed: transitions, spans, and how long the latest states hold. Locations from
 * which a monitor is no longer checked are part of its history.
 */
@Injectable()
export class HistoryService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns the histories of these monitors from `fromMs` on. Monitors that do not exist are omitted. The number of
   * queries does not depend on the number of monitors.
   */
  async read(
    monitorIds: readonly string[],
    fromMs: number,
    { raw = false, location, tx }: HistoryOptions = {},
  ): Promise<Map<string, MonitorHistory>> {
    const from = new Date(fromMs);
    const source = tx ? managerOf(tx) : this.dataSource;
    // Sequential, because a transaction has a single connection.
    const monitors = await source.query<HistoryRecord[]>(
      // A previous version of the service, which may still be running, does not record quorums.
      `SELECT m.id, m.team_id, m.name, m.created_at, m.interval_seconds, schedules.list AS schedules, place.location,
              l.missing_from, l.holds_until, l.last_check_at, dropped.at AS dropped_at
       FROM monitors m CROSS JOIN LATERAL (
         SELECT unnest(m.locations) UNION SELECT location FROM location_states WHERE monitor_id = m.id
       ) AS place (location)
       CROSS JOIN LATERAL (
         SELECT coalesce(
           json_agg(json_build_object('from', extract(epoch FROM s.from_at) * 1000,
             'intervalMs', s.interval_seconds * 1000, 'quorum', coalesce(s.quorum, m.quorum)) ORDER BY s.from_at),
           json_build_array(json_build_object('from', 0, 'intervalMs', m.interval_seconds * 1000, 'quorum', m.quorum))
         ) AS list
         FROM monitor_schedules s WHERE s.monitor_id = m.id
       ) AS schedules
       LEFT JOIN location_states l ON l.monitor_id = m.id AND l.location = place.location
       LEFT JOIN LATERAL (
         SELECT min(s.from_at) AS at FROM monitor_schedules s
         WHERE s.monitor_id = m.id AND NOT place.location = ANY(m.locations) AND s.from_at > (
           SELECT max(had.from_at) FROM monitor_schedules had
           WHERE had.monitor_id = m.id AND place.location = ANY(had.locations))
       ) AS dropped ON true
       WHERE m.id = ANY($1::uuid[]) AND ($2::text IS NULL OR place.location = $2)`,
      [monitorIds, location ?? null],
    );
    const transitions = await source.query<TransitionRecord[]>(
      `SELECT monitor_id, location, at, confirmed_at, to_status FROM (
         SELECT monitor_id, location, at, confirmed_at, to_status FROM transitions
         WHERE monitor_id = ANY($1::uuid[]) AND at >= $2
         UNION ALL
         (SELECT DISTINCT ON (monitor_id, location) monitor_id, location, at, confirmed_at, to_status FROM transitions
          WHERE monitor_id = ANY($1::uuid[]) AND at < $2
          ORDER BY monitor_id, location, at DESC, confirmed_at DESC)
       ) AS relevant ORDER BY at, confirmed_at`,
      [monitorIds, from],
    );
    const spans = await source.query<SpanRecord[]>(
      `SELECT monitor_id, location, shard, shards, kind, starts_at, ends_at, reason FROM spans
       WHERE (monitor_id = ANY($1::uuid[]) OR monitor_id IS NULL) AND (ends_at IS NULL OR ends_at > $2)
         AND NOT ($3 AND kind = 'exclusion') ORDER BY starts_at`,
      [monitorIds, from, raw],
    );
    const transitionsOf = groupBy(transitions, (one) => one.monitor_id);
    const spansOf = groupBy(spans, (span) => span.monitor_id ?? EVERY_MONITOR);
    const histories = new Map<string, MonitorHistory>();
    for (const row of monitors) {
      const own = spansOf.get(row.id) ?? [];
      const history = histories.get(row.id) ?? emptyHistory(row, own);
      const shared = (spansOf.get(EVERY_MONITOR) ?? []).filter((span) => isInScope(row.id, span));
      const here = [...own, ...shared].filter((span) => isHere(span, row));
      history.locations.push(locationHistory(row, transitionsOf.get(row.id) ?? [], here));
      history.absences.push(...here.filter(({ kind }) => kind === 'absence').map(absenceOf));
      histories.set(row.id, history);
    }
    return histories;
  }
}

/** The map key of spans that apply to all monitors. */
const EVERY_MONITOR = '';

function emptyHistory(row: HistoryRecord, spans: readonly SpanRecord[]): MonitorHistory {
  const of = (kind: SpanKind): Span[] => spans.filter((span) => span.kind === kind).map(spanOf);
  return {
    monitorId: row.id,
    teamId: row.team_id,
    name: row.name,
    createdAtMs: row.created_at.getTime(),
    quorum: row.schedules.map(({ from, quorum }) => ({ from, quorum: quorumOf(quorum) })),
    locations: [],
    spans: { paused: of('pause'), maintenance: of('maintenance'), excluded: of('exclusion') },
    absences: [],
  };
}

/**
 * Returns whether a span belongs to the history of a monitor at a location. Reports arrive whether or not checks are
 * made there, and whether or not their results count.
 */
function isHere({ location, kind, reason }: SpanRecord, row: HistoryRecord): boolean {
  if (location !== row.location) return false;
  return row.interval_seconds > 0 || (kind !== 'no_vote' && reason !== 'disabled');
}

function absenceOf(row: SpanRecord): Absence {
  // Absences recorded by earlier versions have no reason; this was the only possible one.
  return { ...spanOf(row), reason: (row.reason ?? 'not_running') as AbsenceReason };
}

function locationHistory(
  row: HistoryRecord,
  transitions: readonly TransitionRecord[],
  here: readonly SpanRecord[],
): RecordedLocation {
  const endsAt = row.dropped_at?.getTime() ?? Infinity;
  const tail: Hold = {
    missingFrom: Math.min(row.missing_from?.getTime() ?? Infinity, endsAt),
    until: Math.min(row.holds_until?.getTime() ?? Infinity, endsAt),
  };
  const changes = transitions
    .filter((one) => one.location === row.location)
    .map((one) => ({ at: one.at.getTime(), confirmedAt: one.confirmed_at.getTime(), to: one.to_status }));
  const lastCheckAt = row.last_check_at?.getTime() ?? null;
  const intervalAt = (atMs: number): number =>
    (row.schedules.findLast(({ from }) => from <= atMs) ?? row.schedules[0]!).intervalMs;
  const uncounted = (span: Span): Span =>
    withoutVote(span, { intervalMs: intervalAt(span.to ?? Infinity), lastCheckAt, changes });
  return {
    location: row.location,
    transitions: changes,
    gaps: here.filter((span) => span.kind === 'gap').map(spanOf),
    absences: here.filter(({ kind }) => kind === 'absence').map(spanOf),
    noVotes: here.filter(({ kind }) => kind === 'no_vote').map((span) => uncounted(spanOf(span))),
    tail,
  };
}

function spanOf(row: SpanRecord): Span {
  return { from: row.starts_at.getTime(), to: row.ends_at?.getTime() ?? null };
}
