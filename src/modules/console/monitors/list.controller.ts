import { Get, Query } from '@nestjs/common';
import { observedSeconds } from '../../../domain/uptime-figures.js';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { type TeamId } from '../../../http/auth/principal.js';
import { LatestChecksService } from '../../checks/latest-checks.service.js';
import { type MonitorCounts, MonitorCountsService } from '../../monitors/state/monitor-counts.service.js';
import { MonitorsService } from '../../monitors/monitors.service.js';
import { type OperationDto } from '../../operations/dto/operation.dto.js';
import { OperationsService } from '../../operations/operations.service.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { UptimeService, windowOf } from '../../uptime/uptime.service.js';
import { Html, type PageAnswer } from '../page-answer.js';
import { CurrentSession, Frame, type PageFrame } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { DEFAULT_SORT, isNarrowed, monitorQuery, positionOf } from './list-query.js';
import { type ListedMonitor } from './list-rows.js';
import { renderMonitorList } from './list.view.js';
import { type MonitorDto, type MonitorStatus } from '../../monitors/dto/monitor.dto.js';
import { shownDays } from './uptime-days.js';

const DAYS = 90;

/** The list of the team's monitors. */
@Pages()
export class MonitorListPageController {
  constructor(
    private readonly monitors: MonitorsService,
    private readonly counts: MonitorCountsService,
    private readonly latest: LatestChecksService,
    private readonly uptime: UptimeService,
    private readonly operations: OperationsService,
  ) {}

  @Get('monitors')
  @RequireRole('viewer')
  async list(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Query() sent: Record<string, unknown>,
  ): Promise<PageAnswer> {
    const query = monitorQuery(sent);
    const [{ data, nextCursor }, counts, tags, narrowed, operation] = await Promise.all([
      // A cursor contains the order of the first page.
      this.monitors.list(teamId, query.cursor === undefined ? { ...query, sort: query.sort ?? DEFAULT_SORT } : query),
      this.counts.byStatus(teamId),
      this.monitors.tagCounts(teamId),
      isNarrowed(query) ? this.monitors.countByStatus(teamId, { ...query, status: undefined }) : null,
      this.operationOf(teamId, sent.operation),
    ]);
    const offered = narrowed ?? counts;
    const total = sumOf(offered, query.status?.length ? query.status : [...offered.keys()]);
    const monitors = await this.listed(data, frame.nowMs);
    const from = positionOf(sent, monitors.length, total);
    return new Html(
      renderMonitorList(frame, { query, monitors, nextCursor, counts, offered, tags, total, from, operation }),
    );
  }

  /** Returns the operation that an address names; null if there is none, because the address may be an old one. */
  private operationOf(teamId: TeamId, id: unknown): Promise<OperationDto | null> {
    return typeof id === 'string' ? this.operations.find(teamId, id) : Promise.resolve(null);
  }

  /** Queries all monitors of a page together. Monitors deleted meanwhile are left out. */
  private async listed(monitors: readonly MonitorDto[], nowMs: number): Promise<ListedMonitor[]> {
    const ids = monitors.map(({ id }) => id);
    const [uptimes, latest] = await Promise.all([
      this.uptime.times(ids, windowOf({ days: DAYS }, nowMs), nowMs),
      this.latest.of(ids, nowMs),
    ]);
    return monitors.flatMap((monitor) => {
      const uptime = uptimes.get(monitor.id);
      if (!uptime) return [];
      const { totals, days } = uptime;
      return {
        monitor,
        nowMs,
        latest: latest.get(monitor.id) ?? null,
        days: shownDays(days),
        uptimePercent: totals.uptimePercent,
        observedSeconds: observedSeconds(totals),
      };
    });
  }
}

function sumOf(counts: MonitorCounts, statuses: readonly MonitorStatus[]): number {
  return statuses.reduce((sum, status) => sum + (counts.get(status) ?? 0), 0);
}
