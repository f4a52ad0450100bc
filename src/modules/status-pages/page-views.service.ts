import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { DAY_MS } from '../../domain/durations.js';
import { IncidentsService, type IncidentView } from '../incidents/incidents.service.js';
import { AnnouncedMaintenanceService } from '../maintenance/announced-maintenance.service.js';
import { SubscriberMail } from '../mail/subscriber-mail.service.js';
import { type MonitorStatus } from '../monitors/dto/monitor.dto.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { type LocationStanding, locationStandings } from '../monitors/state/location-standings.query.js';
import { UptimeService, windowOf } from '../uptime/uptime.service.js';
import { type DayUptime, type Uptime } from '../../domain/uptime.js';
import { observedSeconds, seconds } from '../../domain/uptime-figures.js';
import { type TeamId } from '../../http/auth/principal.js';
import { type Theme } from './dto/create-status-page.dto.js';
import { type PublicIncidentDto } from './dto/public-incident.dto.js';
import { type PublicComponentDto, type PublicDayDto, type PublicLocationDto } from './dto/public-page.dto.js';
import { toPublicIncident } from './public-incident.js';
import { toPublicMaintenance } from './public-maintenance.js';
import { INCIDENT_DAYS, MAINTENANCE_DAYS, MAX_INCIDENTS, type PublicPage } from './public-page.types.js';
import { type StatusPageComponent } from './status-page-component.entity.js';
import { pageStatusOf, type ShownMonitors, type StoredPage } from './status-page.mapper.js';

/** Composes the public content of a page: states and figures, but no other data of its monitors. */
@Injectable()
export class PageViews {
  constructor(
    private readonly monitors: MonitorsService,
    private readonly incidents: IncidentsService,
    private readonly maintenance: AnnouncedMaintenanceService,
    private readonly uptime: UptimeService,
    private readonly mail: SubscriberMail,
    private readonly dataSource: DataSource,
  ) {}

  /** Returns the content that visitors see, or would see if the page were published. Expensive. */
  async view({ page, components }: StoredPage): Promise<PublicPage> {
    const nowMs = Date.now();
    const measured = components.filter(({ showUptime }) => showUptime);
    const ids = components.map(({ monitorId }) => monitorId);
    const [shown, impacts, incidents, maintenance, uptimes, standings] = await Promise.all([
      this.monitors.shown(ids),
      this.incidents.impacts(ids),
      this.incidents.about(ids, nowMs - INCIDENT_DAYS * DAY_MS, MAX_INCIDENTS),
      this.maintenance.about(page.teamId as TeamId, ids, nowMs, nowMs + MAINTENANCE_DAYS * DAY_MS),
      this.uptime.times(
        measured.map(({ monitorId }) => monitorId),
        windowOf({ days: page.historyDays }, nowMs),
        nowMs,
      ),
      locationStandings(this.dataSource, page.showLocations ? ids : []),
    ]);
    const { id, slug, createdAt, updatedAt } = page;
    return {
      id,
      slug,
      teamId: page.teamId as TeamId,
      parts: components,
      theme: page.theme as Theme,
      acceptsSubscribers: this.mail.canSend,
      createdAt,
      updatedAt,
      view: {
        name: page.name,
        description: page.description,
        status: pageStatusOf(components, shown, impacts),
        computedAt: new Date(nowMs).toISOString(),
        timezone: page.timezone,
        historyDays: page.historyDays,
        homepageUrl: page.homepageUrl,
        accentColor: page.accentColor,
        logoUrl: page.logoUrl,
        components: components.flatMap((component) => toComponent(component, { shown, uptimes, standings }) ?? []),
        maintenance: maintenance.map((one) => toPublicMaintenance(one, components)),
        incidents: await toPublicIncidents(incidents, components),
      },
    };
  }
}

/** Lets other requests proceed between incidents, because rendering long updates takes time. */
async function toPublicIncidents(
  incidents: readonly IncidentView[],
  components: readonly StatusPageComponent[],
): Promise<PublicIncidentDto[]> {
  const shown: PublicIncidentDto[] = [];
  for (const incident of incidents) {
    shown.push(toPublicIncident(incident, components));
    await nextTurn();
  }
  return shown;
}

/** What is known about the monitors of a page, by the id of the monitor. */
interface MonitorFigures {
  shown: ShownMonitors;
  uptimes: ReadonlyMap<string, Pick<Uptime, 'days' | 'totals'>>;
  standings: ReadonlyMap<string, readonly LocationStanding[]>;
}

/**
 * Returns null if the monitor was deleted while the page was read. Lists the members one by one, so that no other data
 * becomes public.
 */
function toComponent(
  { id, monitorId, name, description, groupName, showUptime }: StatusPageComponent,
  { shown, uptimes, standings }: MonitorFigures,
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
    locations: CHECKED.has(state.status) ? (standings.get(monitorId) ?? []).map(toLocation) : [],
  };
}

/** In other states, such as maintenance, what checks find is not shown. */
const CHECKED: ReadonlySet<MonitorStatus> = new Set(['up', 'degraded', 'down']);

function toLocation({ name, status }: LocationStanding): PublicLocationDto {
  return { name, status: status === 'pending' ? 'unknown' : status };
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
