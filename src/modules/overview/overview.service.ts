import { Injectable } from '@nestjs/common';
import { Copies } from '../../domain/copies.js';
import { DAY_MS } from '../../domain/durations.js';
import { figuresWithin } from '../../domain/uptime-figures.js';
import { type TeamId } from '../../http/auth/principal.js';
import { CostlyReads } from '../../http/throttle/costly-reads.js';
import { MonitorSelectionService } from '../monitors/definition/monitor-selection.service.js';
import { MONITOR_STATUSES, type MonitorStatus } from '../monitors/dto/monitor.dto.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { MonitorCountsService } from '../monitors/state/monitor-counts.service.js';
import { UptimeService, windowOf } from '../uptime/uptime.service.js';
import { type OverviewDto, type RecentFiguresDto } from './dto/overview.dto.js';
import { recentFigures, type RecentMonitor } from './recent-figures.js';

const WEEK_DAYS = 7;
/** Reading this many monitors takes seconds of processor time in small steps. */
const MAX_MONITORS = 10_000;
/** Monitors that are computed without interruption, as in reports. */
const BATCH = 10;
const NO_RESPONSES = { count: 0, sumMs: 0 };

const FRESH_MS = 60_000;
/** Figures of a whole week change slowly. Older ones are not returned; the caller waits for new ones. */
const USABLE_MS = 30 * 60_000;
const MAX_BYTES = 4_000_000;
/** Accepts any cached figures. */
const ANY = { version: '', askedAtMs: 0 };

interface Cached {
  /** Null for a team with too many monitors. */
  figures: RecentFiguresDto | null;
  bytes: number;
}

/** Summarizes the monitoring of a team. */
@Injectable()
export class OverviewService {
  private readonly cache = new Copies<Cached>({
    freshMs: FRESH_MS,
    usableMs: USABLE_MS,
    maxBytes: MAX_BYTES,
    now: () => performance.now(),
  });

  constructor(
    private readonly monitors: MonitorsService,
    private readonly counts: MonitorCountsService,
    private readonly selections: MonitorSelectionService,
    private readonly uptimes: UptimeService,
    private readonly reads: CostlyReads,
  ) {}

  /** Returns the overview of a team. @throws 429 if too many expensive reads of the team are waiting */
  async of(teamId: TeamId): Promise<OverviewDto> {
    const [counts, recent] = await Promise.all([this.counts.byStatus(teamId), this.recent(teamId)]);
    const monitors = Object.fromEntries(MONITOR_STATUSES.map((status) => [status, counts.get(status) ?? 0]));
    return { monitors: monitors as Record<MonitorStatus, number>, recent };
  }

  /**
   * Returns the figures of the past days, which are up to a minute old if they are requested often, otherwise up to half
   * an hour. Null for a team with more than 10,000 monitors. @throws 429
   */
  async recent(teamId: TeamId): Promise<RecentFiguresDto | null> {
    const cached = await this.cache.get(teamId, ANY, () => this.reads.run(teamId, () => this.read(teamId)));
    return cached.figures;
  }

  private async read(teamId: TeamId): Promise<Cached> {
    const nowMs = Date.now();
    const monitors = await this.selections.filtered(teamId, { ids: null, tags: [] }, MAX_MONITORS + 1);
    if (monitors.length > MAX_MONITORS) return { figures: null, bytes: 0 };
    const names = new Map(monitors.map(({ id, name }) => [id, name]));
    const ids = [...names.keys()];
    const window = windowOf({ days: WEEK_DAYS }, nowMs);
    const [tags, responses] = await Promise.all([this.monitors.tags(teamId, ids), this.uptimes.responses(ids, window)]);
    const found: RecentMonitor[] = [];
    for (let from = 0; from < ids.length; from += BATCH) {
      const uptimes = await this.uptimes.times(ids.slice(from, from + BATCH), window, nowMs);
      for (const [id, { totals, segments }] of uptimes) {
        found.push({
          id,
          name: names.get(id)!,
          tags: tags.get(id) ?? [],
          day: figuresWithin(segments, { from: nowMs - DAY_MS, to: nowMs }),
          week: totals,
          responses: responses.get(id) ?? NO_RESPONSES,
        });
      }
    }
    const figures = recentFigures(found, nowMs);
    return { figures, bytes: JSON.stringify(figures).length };
  }
}
