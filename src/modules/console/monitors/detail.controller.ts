import { Get, Param, Query } from '@nestjs/common';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { includesRole } from '../../../domain/role.js';
import { validateQuery } from '../../../http/body/validation.js';
import { CheckResultsService } from '../../checks/check-results.service.js';
import { ListChecksQuery } from '../../checks/dto/check.dto.js';
import { LatestChecksService } from '../../checks/latest-checks.service.js';
import { ResponseTimesService } from '../../checks/response-times.service.js';
import { awaitsReports, probeOf } from '../../../probes/index.js';
import { type Punctuality, punctualityOf } from '../../../domain/heartbeat/punctuality.js';
import { HeartbeatRunsService } from '../../monitors/heartbeat/heartbeat-runs.service.js';
import { PingAddressesService } from '../../monitors/heartbeat/ping-addresses.service.js';
import { type MonitorDto } from '../../monitors/dto/monitor.dto.js';
import { MonitorsService } from '../../monitors/monitors.service.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { Html, type PageAnswer } from '../page-answer.js';
import { CurrentSession, Frame, type PageFrame } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { MonitorSearch } from '../picker/monitor-search.service.js';
import { renderCheck, renderCheckLog } from './checks.view.js';
import { AlertsService } from './detail-alerts.service.js';
import { EvidenceService } from './detail-evidence.service.js';
import { renderMonitor } from './detail.view.js';
import { ShownExclusionsService } from './exclusions/shown-exclusions.service.js';
import { chartQuery } from './range.js';
import { renderResponseTimes } from './response-times.view.js';

/** Reports from which something follows for the grace. */
const MAX_REPORTS = 100;

/** The pages of a monitor: its state and the evidence for it. */
@Pages('monitors/:id')
export class MonitorPageController {
  constructor(
    private readonly monitors: MonitorsService,
    private readonly latest: LatestChecksService,
    private readonly results: CheckResultsService,
    private readonly evidence: EvidenceService,
    private readonly responseTimes: ResponseTimesService,
    private readonly alerts: AlertsService,
    private readonly pingAddresses: PingAddressesService,
    private readonly runs: HeartbeatRunsService,
    private readonly exclusions: ShownExclusionsService,
    private readonly search: MonitorSearch,
  ) {}

  @Get()
  @RequireRole('viewer')
  async monitor(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId, role }: SignedIn,
    @Param('id') address: string,
    @Query() sent: Readonly<Record<string, unknown>>,
  ): Promise<PageAnswer> {
    const { nowMs } = frame;
    const monitor = await this.monitors.get(teamId, address);
    const { id } = monitor;
    const mayReport = awaitsReports(monitor.type) && includesRole(role, 'editor');
    const [latest, evidence, definition, alerts, pingUrl, punctuality, exclusions, parents] = await Promise.all([
      this.latest.of([id], nowMs),
      this.evidence.of(teamId, id, nowMs),
      this.monitors.definition(teamId, id),
      this.alerts.of(teamId, id, sent, nowMs),
      mayReport ? this.pingAddresses.of(teamId, monitor) : null,
      this.punctualityOf(monitor),
      this.exclusions.latest(teamId, id, nowMs),
      this.search.named(teamId, monitor.parentIds),
    ]);
    const html = renderMonitor(frame, {
      live: { monitor, latest: latest.get(id) ?? null, nowMs },
      evidence,
      alerts,
      exclusions,
      parents,
      times: { ...chartQuery(sent), locations: evidence.locations },
      definition: definition.body,
      pingUrl,
      punctuality,
    });
    return Html.around(alerts.form, html);
  }

  /** Returns what the reports since the last change of a monitor say about its schedule; null if it awaits none. */
  private async punctualityOf(monitor: MonitorDto): Promise<Punctuality | null> {
    const rule = probeOf(monitor.type)?.awaits?.(monitor);
    if (!rule) return null;
    return punctualityOf(rule, await this.runs.latestReports(monitor.id, Date.parse(monitor.updatedAt), MAX_REPORTS));
  }

  @Get('checks')
  @RequireRole('viewer')
  async checks(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') address: string,
    @Query('status') status: unknown,
    @Query('cursor') cursor: unknown,
  ): Promise<PageAnswer> {
    const monitor = await this.monitors.get(teamId, address);
    const failed = status === 'down';
    const query = validateQuery(ListChecksQuery, {
      ...(failed && { status: 'down' }),
      ...(typeof cursor === 'string' && { cursor }),
    });
    const { data, nextCursor } = await this.results.list(teamId, monitor.id, query);
    const isFirstPage = query.cursor === undefined;
    return new Html(renderCheckLog(frame, { monitor, checks: data, nextCursor, failed, isFirstPage }));
  }

  @Get('checks/:checkId')
  @RequireRole('viewer')
  async check(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') address: string,
    @Param('checkId') checkId: string,
  ): Promise<PageAnswer> {
    const monitor = await this.monitors.get(teamId, address);
    return new Html(renderCheck(frame, monitor, await this.results.get(teamId, monitor.id, checkId)));
  }

  @Get('response-times')
  @RequireRole('viewer')
  async responseTimesTable(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') address: string,
    @Query() sent: Readonly<Record<string, unknown>>,
  ): Promise<PageAnswer> {
    const monitor = await this.monitors.get(teamId, address);
    const query = chartQuery(sent);
    const [times, locations] = await Promise.all([
      this.responseTimes.chart(teamId, monitor.id, query, frame.nowMs),
      this.evidence.locationsOf(monitor.id, frame.nowMs),
    ]);
    return new Html(renderResponseTimes(frame, monitor, { ...query, locations }, times));
  }
}
