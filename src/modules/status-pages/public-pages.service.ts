import { Injectable } from '@nestjs/common';
import { MonitorsService } from '../monitors/monitors.service.js';
import { type UptimeDayDto, type UptimeDto } from '../uptime/dto/uptime.dto.js';
import { UptimeService, windowOf } from '../uptime/uptime.service.js';
import { type Theme } from './dto/create-status-page.dto.js';
import { type PublicComponentDto, type PublicDayDto, type PublicPageDto } from './dto/public-page.dto.js';
import { PageGate, type Visitor } from './page-gate.service.js';
import { pageStatus } from './page-status.js';
import { type StatusPageComponent } from './status-page-component.entity.js';
import { type ShownMonitors, type StoredPage } from './status-page.mapper.js';
import { StatusPagesService } from './status-pages.service.js';

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
    const [shown, uptimes] = await Promise.all([
      this.monitors.shown(components.map(({ monitorId }) => monitorId)),
      this.uptime.of(
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
        status: pageStatus(views.map(({ status }) => status)),
        computedAt: new Date(nowMs).toISOString(),
        timezone: page.timezone,
        historyDays: page.historyDays,
        homepageUrl: page.homepageUrl,
        logoUrl: page.logoUrl,
        components: views,
      },
    };
  }
}

/** Null: its monitor was deleted while the page was read. Members are named one by one, so that none slips through. */
function toComponent(
  { id, monitorId, name, description, groupName, showUptime }: StatusPageComponent,
  shown: ShownMonitors,
  uptimes: ReadonlyMap<string, UptimeDto>,
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
    uptimePercent: uptime?.uptimePercent ?? null,
    coveragePercent: uptime?.coveragePercent ?? null,
    observedSeconds: uptime ? observedSeconds(uptime) : null,
    days: uptime?.days.map(toDay) ?? null,
  };
}

/** The monitored time. Summed in whole milliseconds: sums of decimal seconds would drift. */
export function observedSeconds({ totals }: UptimeDto): number {
  const ms = [totals.upSeconds, totals.degradedSeconds, totals.downSeconds].map((one) => Math.round(one * 1_000));
  return ms.reduce((sum, one) => sum + one, 0) / 1_000;
}

function toDay(day: UptimeDayDto): PublicDayDto {
  return {
    date: day.date,
    status: day.status,
    uptimePercent: day.uptimePercent,
    upSeconds: day.upSeconds,
    degradedSeconds: day.degradedSeconds,
    downSeconds: day.downSeconds,
    maintenanceSeconds: day.maintenanceSeconds,
    pausedSeconds: day.pausedSeconds,
    excludedSeconds: day.excludedSeconds,
    unknownSeconds: day.unknownSeconds,
    incidentCount: day.incidentCount,
  };
}
