import { Injectable } from '@nestjs/common';
import { notFound } from '../../http/problems/problem.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { UptimeService, windowOf } from '../uptime/uptime.service.js';
import { type Badge, badgeLabel, responseTimeBadge, statusBadge, uptimeBadge } from './badge.js';
import { type Visitor } from './page-gate.service.js';
import { observedSeconds } from '../../domain/uptime-figures.js';
import { type EnteredPage, PublicPagesService } from './public-pages.service.js';

/** The component whose badge a visitor requests. */
export interface BadgeSubject {
  slug: string;
  componentId: string;
  /** Replaces the name of the component if it is a string. */
  label: unknown;
  visitor: Visitor;
}

/** A badge for an admitted visitor. */
export interface ShownBadge {
  badge: Badge;
  /** Whether the page has a password, so that shared caches must not store the badge. */
  isPrivate: boolean;
}

/**
 * Badges of components of published pages. Each method throws 404 for anything that the page does not show, and 401 and
 * 429 like the page: see `PublicPagesService.enter`.
 */
@Injectable()
export class BadgesService {
  constructor(
    private readonly pages: PublicPagesService,
    private readonly monitors: MonitorsService,
    private readonly uptimes: UptimeService,
  ) {}

  /** Returns the badge of the confirmed state. */
  async status(subject: BadgeSubject): Promise<ShownBadge> {
    const { entered, component } = await this.find(subject);
    const state = (await this.monitors.shown([component.monitorId])).get(component.monitorId);
    if (!state) throw notFound();
    const label = badgeLabel(subject.label, component.name);
    return { badge: statusBadge(label, state.status), isPrivate: entered.isPrivate };
  }

  /** Returns the badge of the uptime over the page's `historyDays`, if the page shows it. */
  async uptime(subject: BadgeSubject): Promise<ShownBadge> {
    const { entered, component } = await this.findMeasured(subject);
    const nowMs = Date.now();
    const window = windowOf({ days: entered.page.historyDays }, nowMs);
    const uptimes = await this.uptimes.times([component.monitorId], window, nowMs);
    const totals = uptimes.get(component.monitorId)?.totals;
    if (!totals) throw notFound();
    const label = badgeLabel(subject.label, component.name);
    const figures = { uptimePercent: totals.uptimePercent, observedSeconds: observedSeconds(totals) };
    return { badge: uptimeBadge(label, figures), isPrivate: entered.isPrivate };
  }

  /**
   * Returns the badge of the mean response time of passing scheduled checks of the current UTC day, or of the previous
   * day until the current day has any, if the page shows the uptime.
   */
  async responseTime(subject: BadgeSubject): Promise<ShownBadge> {
    const { entered, component } = await this.findMeasured(subject);
    const nowMs = Date.now();
    const uptimes = await this.uptimes.of([component.monitorId], windowOf({ days: 2 }, nowMs), nowMs);
    const days = uptimes.get(component.monitorId)?.days;
    if (!days) throw notFound();
    const meanMs = days.findLast(({ avgResponseTimeMs }) => avgResponseTimeMs !== null)?.avgResponseTimeMs ?? null;
    const label = badgeLabel(subject.label, component.name);
    return { badge: responseTimeBadge(label, meanMs), isPrivate: entered.isPrivate };
  }

  private async find({ slug, componentId, visitor }: BadgeSubject) {
    const entered: EnteredPage = await this.pages.enter(slug, visitor);
    const id = componentId.toLowerCase();
    const component = entered.components.find((one) => one.id === id);
    if (!component) throw notFound();
    return { entered, component };
  }

  /** Without `showUptime`, a page shows only the current state. */
  private async findMeasured(subject: BadgeSubject) {
    const found = await this.find(subject);
    if (!found.component.showUptime) throw notFound();
    return found;
  }
}
