import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Hold } from '../../domain/data-gap.js';
import { type ConfirmedStatus, type Quorum } from '../../domain/quorum.js';
import { type Span } from '../../domain/span.js';
import { type LocationHistory } from '../../domain/state-timeline.js';
import { groupBy } from './group-by.js';
import { type SpanKind } from './span.entity.js';
import { quorumOf } from './state-records.js';

/** All from which a monitor's uptime follows. Times are epoch milliseconds. */
export interface MonitorHistory {
  monitorId: string;
  createdAtMs: number;
  quorum: Quorum;
  locations: LocationHistory[];
  spans: { paused: Span[]; maintenance: Span[]; excluded: Span[] };
}

interface TransitionRecord {
  monitor_id: string;
  location: string;
  at: Date;
  to_status: ConfirmedStatus;
}

interface SpanRecord {
  monitor_id: string | null;
  location: string | null;
  kind: SpanKind;
  starts_at: Date;
  ends_at: Date | null;
}

interface MonitorRecord {
  id: string;
  created_at: Date;
  quorum: string;
  location: string;
  missing_from: Date | null;
  holds_until: Date | null;
}

/** Reads the evidence that uptime is computed from: transitions, spans, and how long the newest states hold. */
@Injectable()
export class HistoryService {
  constructor(private readonly dataSource: DataSource) {}

  /** The histories of these monitors from `fromMs` on, those that do not exist left out. One read, whatever their number. */
  async read(monitorIds: readonly string[], fromMs: number): Promise<Map<string, MonitorHistory>> {
    const from = new Date(fromMs);
    const [monitors, transitions, spans] = await Promise.all([
      this.dataSource.query<MonitorRecord[]>(
        `SELECT m.id, m.created_at, m.quorum, place.location, l.missing_from, l.holds_until
         FROM monitors m CROSS JOIN LATERAL unnest(m.locations) AS place (location)
         LEFT JOIN location_states l ON l.monitor_id = m.id AND l.location = place.location
         WHERE m.id = ANY($1::uuid[])`,
        [monitorIds],
      ),
      this.dataSource.query<TransitionRecord[]>(
        `SELECT monitor_id, location, at, to_status FROM (
           SELECT monitor_id, location, at, confirmed_at, to_status FROM transitions
           WHERE monitor_id = ANY($1::uuid[]) AND at >= $2
           UNION ALL
           (SELECT DISTINCT ON (monitor_id, location) monitor_id, location, at, confirmed_at, to_status FROM transitions
            WHERE monitor_id = ANY($1::uuid[]) AND at < $2
            ORDER BY monitor_id, location, at DESC, confirmed_at DESC)
         ) AS relevant ORDER BY at, confirmed_at`,
        [monitorIds, from],
      ),
      this.dataSource.query<SpanRecord[]>(
        `SELECT monitor_id, location, kind, starts_at, ends_at FROM spans
         WHERE (monitor_id = ANY($1::uuid[]) OR monitor_id IS NULL) AND (ends_at IS NULL OR ends_at > $2)`,
        [monitorIds, from],
      ),
    ]);
    const transitionsOf = groupBy(transitions, (one) => one.monitor_id);
    const spansOf = groupBy(spans, (span) => span.monitor_id ?? EVERY_MONITOR);
    const histories = new Map<string, MonitorHistory>();
    for (const row of monitors) {
      const own = spansOf.get(row.id) ?? [];
      const history = histories.get(row.id) ?? emptyHistory(row, own);
      const shared = spansOf.get(EVERY_MONITOR) ?? [];
      history.locations.push(locationHistory(row, transitionsOf.get(row.id) ?? [], [...own, ...shared]));
      histories.set(row.id, history);
    }
    return histories;
  }
}

/** Stands for the monitor of a span that holds for all of them. */
const EVERY_MONITOR = '';

function emptyHistory(row: MonitorRecord, spans: readonly SpanRecord[]): MonitorHistory {
  const of = (kind: SpanKind): Span[] => spans.filter((span) => span.kind === kind).map(spanOf);
  return {
    monitorId: row.id,
    createdAtMs: row.created_at.getTime(),
    quorum: quorumOf(row.quorum),
    locations: [],
    spans: { paused: of('pause'), maintenance: of('maintenance'), excluded: of('exclusion') },
  };
}

function locationHistory(
  row: MonitorRecord,
  transitions: readonly TransitionRecord[],
  spans: readonly SpanRecord[],
): LocationHistory {
  const here = spans.filter((span) => span.location === row.location);
  const tail: Hold | null =
    row.missing_from && row.holds_until
      ? { missingFrom: row.missing_from.getTime(), until: row.holds_until.getTime() }
      : null;
  return {
    transitions: transitions
      .filter((one) => one.location === row.location)
      .map((one) => ({ at: one.at.getTime(), to: one.to_status })),
    gaps: here.filter((span) => span.kind === 'gap').map(spanOf),
    absences: here.filter((span) => span.kind === 'absence').map(spanOf),
    tail,
  };
}

function spanOf(row: SpanRecord): Span {
  return { from: row.starts_at.getTime(), to: row.ends_at?.getTime() ?? null };
}
