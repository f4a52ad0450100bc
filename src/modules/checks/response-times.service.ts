import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { groupBy } from '../../domain/group-by.js';
import { type TeamId } from '../../http/auth/principal.js';
import { KnownLocationsService } from '../locations/known-locations.service.js';
import { expectLocation } from '../monitors/location.query.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import {
  type LocationTimes,
  PHASES,
  type ResponseRange,
  type ResponseTimesDto,
  type ResponseTimesStep,
} from './dto/response-times.dto.js';

const HOUR_MS = 3_600_000;
export const RANGE_MS: Readonly<Record<ResponseRange, number>> = {
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
};
/** The number of steps that can be distinguished in a chart as wide as a page. */
const MAX_STEPS = 240;

/** Reports of jobs arrive at no interval that could divide the range. */
const REPORTS_STEP_S = 60;

/** The values of a step without passing checks. */
const NOTHING = { count: 0, p50Ms: null, p95Ms: null, ...emptyPhases() } satisfies Omit<ResponseTimesStep, 'fromMs'>;

/** Selects the steps of passing checks at slots, and of reports, as `$1` to `$4`: the monitor, the range, and the length of a step. */
const STEP = 'floor((extract(epoch FROM scheduled_at) * 1000 - $2::float8) / $4::float8)::int AS step';
const PASSED = `monitor_id = $1 AND scheduled_at >= to_timestamp($2::float8 / 1000)
  AND scheduled_at < to_timestamp($3::float8 / 1000) AND (attempt = 0 OR trigger = 'heartbeat') AND status IN ('up', 'degraded')
  AND response_time_ms IS NOT NULL`;

/** Which response times to read. */
export interface ResponseTimesQuery {
  range: ResponseRange;
  /** Only those of checks from this location. */
  location?: string;
}

/** Reads response times of passing checks over time. */
@Injectable()
export class ResponseTimesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly monitors: MonitorsService,
    private readonly known: KnownLocationsService,
  ) {}

  /** Returns the response times of a monitor over a range that ends now. @throws 404, 400 for an invalid location */
  async of(
    teamId: TeamId,
    address: string,
    { range, location }: ResponseTimesQuery,
    nowMs = Date.now(),
  ): Promise<ResponseTimesDto> {
    const monitor = await this.monitors.find(teamId, address);
    if (location !== undefined) expectLocation(monitor, location);
    const { id, intervalSeconds, locations } = monitor;
    const stepMs = stepOf(RANGE_MS[range], (intervalSeconds || REPORTS_STEP_S) * 1_000);
    // Steps are aligned independently of the current time, so that past steps do not change between requests.
    const toMs = Math.ceil(nowMs / stepMs) * stepMs;
    const fromMs = toMs - Math.ceil(RANGE_MS[range] / stepMs) * stepMs;
    const rows: StepRecord[] = await this.dataSource.query(
      `SELECT ${STEP}, count(*)::int AS count, avg(dns_ms) AS "dnsMs", avg(connect_ms) AS "connectMs", avg(tls_ms) AS "tlsMs",
              avg(first_byte_ms) AS "firstByteMs", avg(transfer_ms) AS "transferMs",
              percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY response_time_ms) AS percentiles
       FROM checks WHERE ${PASSED} AND ($5::text IS NULL OR location = $5) GROUP BY 1`,
      [id, fromMs, toMs, stepMs, location ?? null],
    );
    const byStep = new Map(rows.map((row) => [row.step, row]));
    const steps = Array.from({ length: (toMs - fromMs) / stepMs }, (_, index) =>
      toStep(fromMs + index * stepMs, byStep.get(index)),
    );
    const compared = location === undefined && locations.length > 1 ? locations : [];
    const byLocation = await this.byLocation(compared, [id, fromMs, toMs, stepMs], steps.length);
    return { range, fromMs, toMs, stepMs, steps, locations: byLocation };
  }

  private async byLocation(
    keys: readonly string[],
    passed: readonly unknown[],
    stepCount: number,
  ): Promise<LocationTimes[]> {
    if (keys.length === 0) return [];
    const rows: { location: string; step: number; p50: number }[] = await this.dataSource.query(
      `SELECT location, ${STEP}, percentile_cont(0.5) WITHIN GROUP (ORDER BY response_time_ms) AS p50
       FROM checks WHERE ${PASSED} AND location = ANY($5::text[]) GROUP BY 1, 2`,
      [...passed, keys],
    );
    const rowsOf = groupBy(rows, (row) => row.location);
    return keys.map((key) => {
      const p50Ms = new Array<number | null>(stepCount).fill(null);
      for (const { step, p50 } of rowsOf.get(key) ?? []) p50Ms[step] = rounded(p50);
      return { key, name: this.known.nameOf(key), p50Ms };
    });
  }
}

interface StepRecord extends Record<(typeof PHASES)[number], number | null> {
  step: number;
  count: number;
  percentiles: [number, number];
}

/** Returns the smallest multiple of the interval that divides a range into at most `MAX_STEPS` steps. */
export function stepOf(rangeMs: number, intervalMs: number): number {
  return Math.ceil(rangeMs / MAX_STEPS / intervalMs) * intervalMs;
}

function toStep(fromMs: number, row: StepRecord | undefined): ResponseTimesStep {
  if (!row) return { fromMs, ...NOTHING };
  const [p50, p95] = row.percentiles;
  const phases = Object.fromEntries(PHASES.map((phase) => [phase, rounded(row[phase])])) as ReturnType<
    typeof emptyPhases
  >;
  return { fromMs, count: row.count, p50Ms: rounded(p50), p95Ms: rounded(p95), ...phases };
}

function emptyPhases(): Record<(typeof PHASES)[number], number | null> {
  return { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, transferMs: null };
}

/** Response times are stored in single precision, so decimals beyond a microsecond are noise. */
function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 1_000) / 1_000;
}
