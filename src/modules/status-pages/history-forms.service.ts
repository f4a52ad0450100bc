import { Injectable } from '@nestjs/common';
import { isMonth, monthAfter, monthBounds, monthOf } from '../../domain/civil-month.js';
import { notFound } from '../../http/problems/problem.js';
import { IncidentsService } from '../incidents/incidents.service.js';
import { AnnouncedMaintenanceService } from '../maintenance/announced-maintenance.service.js';
import { type MonthHistory, renderHistoryPage } from './html/history-page.view.js';
import { htmlForm, type PageContext, type PageForm } from './page-form.js';
import { toPublicIncident } from './public-incident.js';
import { toPublicMaintenance } from './public-maintenance.js';
import { MAX_IN_MONTH } from './public-page.types.js';

/** The pages of past months. */
@Injectable()
export class HistoryForms {
  constructor(
    private readonly incidents: IncidentsService,
    private readonly maintenance: AnnouncedMaintenanceService,
  ) {}

  /**
   * Returns the page of a month, of the current one if it is undefined. Rendering it throws 404 unless it is a month
   * from the beginning of the history to today.
   */
  form(month: unknown): PageForm {
    const asked = month === undefined || isMonth(month) ? month : null;
    return htmlForm(`history/${asked}`, async (context) => {
      const { timezone, computedAt } = context.page.view;
      const current = monthOf(Date.parse(computedAt), timezone);
      const shown = asked ?? current;
      const first = await this.first(context);
      if (asked === null || shown > current || shown < first) throw notFound();
      const history = await context.recall(`history/${shown}`, () => this.read(shown, context));
      return renderHistoryPage(context, {
        month: shown,
        previous: shown > first ? monthAfter(shown, -1) : null,
        next: shown < current ? monthAfter(shown, 1) : null,
        ...history!,
      });
    });
  }

  /** Returns the first month: that of the page or of the first incident, which may be older than the page. */
  private async first({ page, recall }: PageContext): Promise<string> {
    const { parts, createdAt, view } = page;
    const first = await recall('history', async () => {
      const startMs = await this.incidents.earliestStart(parts.map(({ monitorId }) => monitorId));
      return { ms: Math.min(createdAt.getTime(), startMs ?? Infinity) };
    });
    return monthOf(first!.ms, view.timezone);
  }

  private async read(month: string, { page }: PageContext): Promise<MonthHistory> {
    const { teamId, parts, view } = page;
    const ids = parts.map(({ monitorId }) => monitorId);
    const period = monthBounds(month, view.timezone);
    const past = { ...period, toMs: Math.min(period.toMs, Date.parse(view.computedAt)) };
    const [incidents, maintenance] = await Promise.all([
      this.incidents.during(ids, period, MAX_IN_MONTH),
      this.maintenance.ended(teamId, ids, past, MAX_IN_MONTH),
    ]);
    return {
      incidents: incidents.map((one) => toPublicIncident(one, parts)),
      maintenance: maintenance.map((one) => toPublicMaintenance(one, parts)),
    };
  }
}
