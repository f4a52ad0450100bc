import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AppConfig } from '../../config/app-config.js';
import { Transactions } from '../../database/tx.js';
import { HOUR_MS } from '../../domain/durations.js';
import { groupBy } from '../../domain/group-by.js';
import { type TeamId } from '../../http/auth/principal.js';
import { notFound } from '../../http/problems/problem.js';
import { CostlyReads } from '../../http/throttle/costly-reads.js';
import { KnownLocationsService } from '../locations/known-locations.service.js';
import { expectLocation } from '../monitors/location.query.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { type ScheduleHistory, ScheduleHistoryService } from '../monitors/schedule/schedule-history.service.js';
import { type ResponseTimesDto, type ResponseTimesQuery } from './dto/response-times.dto.js';
import { toResponseTimesDto } from './response-times.mapper.js';
import { expectFewChecks, type Period, periodOf, stepOf } from './response-times-period.js';
import {
  type ChartQuery,
  type ChartTimes,
  type LocationTimes,
  type Phase,
  PHASES,
  type ResponseRange,
  type ResponseTimes,
  type ResponseTimesStep,
} from './response-times.types.js';

const RANGE_MS: Readonly<Record<ResponseRange, number>> = {
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
};
/** The number of steps that can be distinguished in a chart as wide as a page. */
const CHART_STEPS = 240;

/** The values of a step without passing checks. */
const NOTHING = {
  ...{ count: 0, p50Ms: null, p95Ms: null },
  ...{ dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, transferMs: null },
} satisfies Omit<ResponseTimesStep, 'fromMs'>;

/**
 * Selects the starts of the steps of passing checks at slots, and of reports, by `parametersOf`: the monitor, the period,
 * and the length of a step. `date_bin` is much faster than arithmetic with epoch seconds.
 */
const STEP = `date_bin($4 * interval '1 ms', scheduled_at, $2) AS step`;
const PASSED = `monitor_id = $1 AND scheduled_at >= $2::timestamptz AND scheduled_at < $3::timestamptz
  AND (attempt = 0 OR trigger = 'heartbeat') AND status IN ('up', 'degraded') AND response_time_ms IS NOT NULL`;

interface Steps extends Period {
  stepMs: number;
}

/** Reads response times of passing checks over time. */
@Injectable()
export class ResponseTimesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly monitors: MonitorsService,
    private readonly schedules: ScheduleHistoryService,
    private readonly known: KnownLocationsService,
    private readonly config: AppConfig,
    private readonly reads: CostlyReads,
  ) {}

  /**
   * Returns the response times of a monitor for callers of the API.
   * @throws 404, 400 for an invalid period or location, 429 if too many such requests are waiting
   */
  ofMonitor(teamId: TeamId, address: string, query: ResponseTimesQuery): Promise<ResponseTimesDto> {
    return this.reads.run(teamId, async () => {
      const period = periodOf(query, Date.now(), this.config.get('RETENTION_DAYS'));
      const monitor = await this.monitors.find(teamId, address);
      if (query.location !== undefined) expectLocation(monitor, query.location);
      const { schedules } = await this.schedulesOf(monitor.id, query.location);
      expectFewChecks(schedules, period);
      const stepMs = stepOf(period.toMs - period.fromMs, query.points, monitor);
      return toResponseTimesDto(monitor.id, await this.read(monitor.id, { ...period, stepMs }, query.location));
    });
  }

  /** Returns the response times of a monitor over a range that ends now. @throws 404, 400 for an invalid location */
  async chart(
    teamId: TeamId,
    address: string,
    { range, location }: ChartQuery,
    nowMs = Date.now(),
  ): Promise<ChartTimes> {
    const monitor = await this.monitors.find(teamId, address);
    if (location !== undefined) expectLocation(monitor, location);
    const { id, locations } = monitor;
    const stepMs = stepOf(RANGE_MS[range], CHART_STEPS, monitor);
    // Steps are aligned independently of the current time, so that past steps do not change between requests.
    const toMs = Math.ceil(nowMs / stepMs) * stepMs;
    const fromMs = toMs - Math.ceil(RANGE_MS[range] / stepMs) * stepMs;
    const times = await this.read(id, { fromMs, toMs, stepMs }, location);
    const compared = location === undefined && locations.length > 1 ? locations : [];
    return { ...times, locations: await this.byLocation(compared, id, times) };
  }

  /** @throws 404 if the monitor has been deleted in the meantime */
  private async schedulesOf(monitorId: string, location?: string): Promise<ScheduleHistory> {
    const found = await this.transactions.snapshot((tx) => this.schedules.read(tx, [monitorId], location));
    const history = found.get(monitorId);
    if (!history) throw notFound();
    return history;
  }

  private async read(monitorId: string, steps: Steps, location?: string): Promise<ResponseTimes> {
    const rows: StepRecord[] = await this.dataSource.query(
      `SELECT ${STEP}, count(*)::int AS count, avg(dns_ms) AS "dnsMs", avg(connect_ms) AS "connectMs", avg(tls_ms) AS "tlsMs",
              avg(first_byte_ms) AS "firstByteMs", avg(transfer_ms) AS "transferMs",
              percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY response_time_ms) AS percentiles
       FROM checks WHERE ${PASSED} AND ($5::text IS NULL OR location = $5) GROUP BY 1`,
      [...parametersOf(monitorId, steps), location ?? null],
    );
    const byStart = new Map(rows.map((row) => [row.step.getTime(), row]));
    const starts = startsOf(steps);
    return { ...steps, steps: starts.map((fromMs) => toStep(fromMs, byStart.get(fromMs))) };
  }

  private async byLocation(keys: readonly string[], monitorId: string, steps: Steps): Promise<LocationTimes[]> {
    if (keys.length === 0) return [];
    const rows: { location: string; step: Date; p50: number }[] = await this.dataSource.query(
      `SELECT location, ${STEP}, percentile_cont(0.5) WITHIN GROUP (ORDER BY response_time_ms) AS p50
       FROM checks WHERE ${PASSED} AND location = ANY($5::text[]) GROUP BY 1, 2`,
      [...parametersOf(monitorId, steps), keys],
    );
    const rowsOf = groupBy(rows, (row) => row.location);
    const starts = startsOf(steps);
    return keys.map((key) => {
      const byStart = new Map(rowsOf.get(key)?.map(({ step, p50 }) => [step.getTime(), rounded(p50)]));
      return { key, name: this.known.nameOf(key), p50Ms: starts.map((fromMs) => byStart.get(fromMs) ?? null) };
    });
  }
}

interface StepRecord extends Record<Phase, number | null> {
  step: Date;
  count: number;
  percentiles: [number, number];
}

function parametersOf(monitorId: string, { fromMs, toMs, stepMs }: Steps): unknown[] {
  return [monitorId, new Date(fromMs), new Date(toMs), stepMs];
}

function startsOf({ fromMs, toMs, stepMs }: Steps): number[] {
  return Array.from({ length: Math.ceil((toMs - fromMs) / stepMs) }, (_, index) => fromMs + index * stepMs);
}

function toStep(fromMs: number, row: StepRecord | undefined): ResponseTimesStep {
  if (!row) return { fromMs, ...NOTHING };
  const [p50, p95] = row.percentiles;
  const phases = Object.fromEntries(PHASES.map((phase) => [phase, rounded(row[phase])])) as Record<
    Phase,
    number | null
  >;
  return { fromMs, count: row.count, p50Ms: rounded(p50), p95Ms: rounded(p95), ...phases };
}

/** Response times are stored in single precision, so decimals beyond a microsecond are noise. */
function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 1_000) / 1_000;
}
