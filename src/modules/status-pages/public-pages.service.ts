import { Injectable } from '@nestjs/common';
import { IncidentsService } from '../incidents/incidents.service.js';
import {
  type AnnouncedMaintenance,
  AnnouncedMaintenanceService,
} from '../maintenance/announced-maintenance.service.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { UptimeService, windowOf } from '../uptime/uptime.service.js';
import { type DayUptime, type Uptime } from '../../domain/uptime.js';
import { type KindTimes, seconds } from '../../domain/uptime-figures.js';
import { DAY_MS } from '../../domain/utc-day.js';
import { type TeamId } from '../../http/principal.js';
import { type Theme } from './dto/create-status-page.dto.js';
import { type PublicMaintenanceDto } from './dto/public-maintenance.dto.js';
import { type PublicComponentDto, type PublicDayDto, type PublicPageDto } from './dto/public-page.dto.js';
import { PageGate, type Visitor } from './page-gate.service.js';
import { toPublicIncident } from './public-incident.js';
import { type StatusPageComponent } from './status-page-component.entity.js';
import { pageStatusOf, type ShownMonitors, type StoredPage } from './status-page.mapper.js';
import { StatusPagesService } from './status-pages.service.js';

/** Resolved incidents are told for this long, and not more than so many. */
const INCIDENT_DAYS = 14;
const MAX_INCIDENTS = 50;
/** Maintenance is announced for as long ahead. */
const MAINTENANCE_DAYS = 7;

/** A page as a visitor who may see it gets it. */
export interface PublicPage {
  slug: string;
  theme: Theme;
  /** Only for those who have the password: no cache may hand it on. */
  isPrivate: boolean;
  view: PublicPageDto;
}

/** A stored page whose visitor may see it. */
export interface EnteredPage extends StoredPage {
  /** As in `PublicPage`. */
  isPrivate: boolean;
}

/** What everybody may see of status pages: states and figures, and nothing else of the monitors behind them. */
@Injectable()
export class PublicPagesService {
  constructor(
    private readonly pages: StatusPagesService,
    private readonly gate: PageGate,
    private readonly monitors: MonitorsService,
    private readonly incidents: IncidentsService,
    private readonly maintenance: AnnouncedMaintenanceService,
    private readonly uptime: UptimeService,
  ) {}

  /**
   * The page that every public address of it begins with.
   * @throws 404 for an unknown slug and for an unpublished page, 401 and 429 for one with a password: see `PageGate`
   */
  async enter(slug: string, visitor: Visitor): Promise<EnteredPage> {
    const stored = await this.pages.published(slug);
    const { accessType, passwordHash } = stored.page;
    const isPrivate = accessType === 'password';
    if (isPrivate) await this.gate.admit({ slug, passwordHash: passwordHash ?? '' }, visitor);
    return { ...stored, isPrivate };
  }

  /** @throws as `enter` */
  async visit(slug: string, visitor: Visitor): Promise<PublicPage> {
    const { page, components, isPrivate } = await this.enter(slug, visitor);
    const nowMs = Date.now();
    const measured = components.filter(({ showUptime }) => showUptime);
    const ids = components.map(({ monitorId }) => monitorId);
    const [shown, impacts, incidents, maintenance, uptimes] = await Promise.all([
      this.monitors.shown(ids),
      this.incidents.impacts(ids),
      this.incidents.about(ids, nowMs - INCIDENT_DAYS * DAY_MS, MAX_INCIDENTS),
      this.maintenance.about(page.teamId as TeamId, ids, nowMs, nowMs + MAINTENANCE_DAYS * DAY_MS),
      this.uptime.times(
        measured.map(({ monitorId }) => monitorId),
        windowOf({ days: page.historyDays }, nowMs),
        nowMs,
      ),
    ]);
    const views = components.flatMap((component) => toComponent(component, shown, uptimes) ?? []);
    return {
      slug,
      theme: page.theme as Theme,
      isPrivate,
      view: {
        name: page.name,
        description: page.description,
        status: pageStatusOf(components, shown, impacts),
        computedAt: new Date(nowMs).toISOString(),
        timezone: page.timezone,
        historyDays: page.historyDays,
        homepageUrl: page.homepageUrl,
        logoUrl: page.logoUrl,
        components: views,
        maintenance: maintenance.map((one) => toPublicMaintenance(one, components)),
        incidents: incidents.map((incident) => toPublicIncident(incident, components)),
      },
    };
  }
}

type ComponentUptime = Pick<Uptime, 'days' | 'totals'>;

/** Null: its monitor was deleted while the page was read. Members are named one by one, so that none slips through. */
function toComponent(
  { id, monitorId, name, description, groupName, showUptime }: StatusPageComponent,
  shown: ShownMonitors,
  uptimes: ReadonlyMap<string, ComponentUptime>,
): PublicComponentDto | null {
  const state = shown.get(monitorId);
  const uptime = uptimes.get(monitorId);
  if (!state || (showUptime && !uptime)) return null;
  return {
    id,
    name,
    description,
    group: groupName,
    status: state.status,
    since: state.since.toISOString(),
    uptimePercent: uptime?.totals.uptimePercent ?? null,
    coveragePercent: uptime?.totals.coveragePercent ?? null,
    observedSeconds: uptime ? observedSeconds(uptime.totals) : null,
    days: uptime?.days.map(toDay) ?? null,
  };
}

/** Members are named one by one, so that none slips through. */
function toPublicMaintenance(
  { id, name, description, active, startsAt, endsAt, monitorIds }: AnnouncedMaintenance,
  components: readonly StatusPageComponent[],
): PublicMaintenanceDto {
  return {
    ...{ id, name, description, active, startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() },
    componentIds: components.filter(({ monitorId }) => monitorIds.includes(monitorId)).map((one) => one.id),
  };
}

/** The monitored time. */
export function observedSeconds({ upMs, degradedMs, downMs }: KindTimes): number {
  return seconds(upMs + degradedMs + downMs);
}

function toDay(day: DayUptime): PublicDayDto {
  return {
    date: day.date,
    status: day.status,
    uptimePercent: day.uptimePercent,
    upSeconds: seconds(day.upMs),
    degradedSeconds: seconds(day.degradedMs),
    downSeconds: seconds(day.downMs),
    maintenanceSeconds: seconds(day.maintenanceMs),
    pausedSeconds: seconds(day.pausedMs),
    excludedSeconds: seconds(day.excludedMs),
    unknownSeconds: seconds(day.unknownMs),
    incidentCount: day.incidentCount,
  };
}
