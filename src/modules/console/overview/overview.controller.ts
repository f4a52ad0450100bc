import { Get, Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { type TeamId } from '../../../http/auth/principal.js';
import { ProblemException } from '../../../http/problems/problem.js';
import { LatestChecksService } from '../../checks/latest-checks.service.js';
import { IncidentsService } from '../../incidents/incidents.service.js';
import { MaintenanceWindowsService } from '../../maintenance/maintenance-windows.service.js';
import { MonitorsService } from '../../monitors/monitors.service.js';
import { MonitorCountsService } from '../../monitors/state/monitor-counts.service.js';
import { OverviewService } from '../../overview/overview.service.js';
import { type RecentFiguresDto } from '../../overview/dto/overview.dto.js';
import { ChannelDirectory } from '../../notification-policies/channel-directory.service.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { StatusPagesService } from '../../status-pages/status-pages.service.js';
import { AuthorNames } from '../author-names.service.js';
import { authorWords } from '../author-words.js';
import { isAcknowledged } from '../incidents/incident-words.js';
import { Html, type PageAnswer } from '../page-answer.js';
import { CurrentSession, Frame, type PageFrame } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { renderOverview } from './overview.view.js';
import { needsAttention, WALL_TILES, type Wrong } from './attention.js';
import { renderWall } from './wall.view.js';

const WRONG_SHOWN = 8;
const INCIDENTS_SHOWN = 6;
const WINDOWS_SHOWN = 3;
/** The figures of a large team take longer at first. The page appears without them, and shows them once they are known. */
const WAIT_FOR_FIGURES_MS = 40;

/** The start page of the application, and the same for a screen on the wall. */
@Pages()
export class OverviewPageController {
  private readonly logger = new Logger(OverviewPageController.name);

  constructor(
    private readonly monitors: MonitorsService,
    private readonly counts: MonitorCountsService,
    private readonly latest: LatestChecksService,
    private readonly incidents: IncidentsService,
    private readonly windows: MaintenanceWindowsService,
    private readonly overview: OverviewService,
    private readonly pages: StatusPagesService,
    private readonly authors: AuthorNames,
    private readonly channels: ChannelDirectory,
  ) {}

  @Get()
  @RequireRole('viewer')
  async show(@Frame() frame: PageFrame, @CurrentSession() { teamId }: SignedIn): Promise<PageAnswer> {
    const [counts, wrong, newest, windows, recent, pages, unheardCount, channels] = await Promise.all([
      this.counts.byStatus(teamId),
      this.wrong(teamId, frame.nowMs, WRONG_SHOWN),
      this.incidents.newest(teamId, { limit: INCIDENTS_SHOWN + WRONG_SHOWN }),
      this.windows.soonest(teamId, WINDOWS_SHOWN),
      this.recent(teamId),
      this.pages.list(teamId, { limit: 1 }),
      this.monitors.count(teamId, { notified: false }),
      this.channels.all(teamId),
    ]);
    const shown = new Set(wrong.map(({ incident }) => incident?.id));
    const incidents = newest.filter(({ id }) => !shown.has(id)).slice(0, INCIDENTS_SHOWN);
    const hasStatusPage = pages.data.length > 0;
    const alerting = { unheardCount, hasChannel: channels.length > 0 };
    return new Html(renderOverview(frame, { counts, wrong, incidents, windows, recent, hasStatusPage, ...alerting }));
  }

  @Get('wall')
  @RequireRole('viewer')
  async wall(@Frame() frame: PageFrame, @CurrentSession() { teamId }: SignedIn): Promise<PageAnswer> {
    const [counts, { data }] = await Promise.all([
      this.counts.byStatus(teamId),
      this.monitors.list(teamId, { sort: 'severity', limit: WALL_TILES }),
    ]);
    return new Html(renderWall(frame, { counts, monitors: data }));
  }

  /** Returns the monitors that need attention, the worst first, each with the incident that is open for it. */
  private async wrong(teamId: TeamId, nowMs: number, limit: number): Promise<Wrong[]> {
    const { data } = await this.monitors.list(teamId, { sort: 'severity', limit });
    const found = data.filter(needsAttention);
    const ids = found.map(({ id }) => id);
    const open = await this.incidents.openOf(teamId, ids);
    // People acknowledge the outage, and report another incident to tell readers of status pages about it.
    const outages = open.filter(({ kind }) => kind === 'detected');
    const incidents = ids.map((id) => [...outages, ...open].find(({ monitorIds }) => monitorIds.includes(id)) ?? null);
    const [latest, people] = await Promise.all([
      this.latest.of(ids, nowMs),
      this.authors.of(
        teamId,
        incidents.map((incident) => incident?.acknowledgedBy ?? null),
      ),
    ]);
    return found.map((monitor, at) => {
      const incident = incidents[at] ?? null;
      return {
        live: { monitor, latest: latest.get(monitor.id) ?? null, nowMs },
        incident: incident && {
          id: incident.id,
          acknowledgedBy: isAcknowledged(incident, nowMs) ? authorWords(incident.acknowledgedBy ?? '', people) : null,
        },
      };
    });
  }

  /** Returns the figures of the past days; `undefined` while they are being computed, or cannot be. */
  private recent(teamId: TeamId): Promise<RecentFiguresDto | null | undefined> {
    const figures = this.overview.recent(teamId).catch((error: unknown) => {
      // The rest of the page is more important than its figures, which an open page requests again.
      if (!(error instanceof ProblemException)) this.logger.warn('could not compute the figures of an overview', error);
      return undefined;
    });
    return Promise.race([figures, delay(WAIT_FOR_FIGURES_MS, undefined, { ref: false })]);
  }
}
