import { Injectable } from '@nestjs/common';
import { DAY_MS } from '../../../domain/durations.js';
import { AnnouncedMaintenanceService } from '../../maintenance/announced-maintenance.service.js';
import { type PublicMaintenanceDto } from '../dto/public-maintenance.dto.js';
import { type PageContext, type PageForm } from '../page-form.js';
import { toPublicMaintenance } from '../public-maintenance.js';
import { renderCalendar } from './calendar.js';

const PAST_DAYS = 30;
const FUTURE_DAYS = 90;
const MAX_PAST = 100;

/** The maintenance of a page as a calendar: the past 30 days and the next 90. */
@Injectable()
export class CalendarForm {
  /**
   * While the database is away, only a calendar that was read before is served: calendars delete what a shorter one
   * would omit.
   */
  readonly form: PageForm = {
    name: 'calendar',
    type: 'text/calendar; charset=utf-8',
    isHtml: false,
    render: async (context) => {
      const { page, address, recall } = context;
      const found = await recall('calendar', () => this.read(context));
      return renderCalendar(page, address, found ?? []);
    },
  };

  constructor(private readonly maintenance: AnnouncedMaintenanceService) {}

  private async read({ page: { teamId, parts, view } }: PageContext): Promise<PublicMaintenanceDto[]> {
    const ids = parts.map(({ monitorId }) => monitorId);
    const nowMs = Date.parse(view.computedAt);
    const past = { fromMs: nowMs - PAST_DAYS * DAY_MS, toMs: nowMs };
    const [ended, ahead] = await Promise.all([
      this.maintenance.ended(teamId, ids, past, MAX_PAST),
      this.maintenance.ahead(teamId, ids, nowMs, nowMs + FUTURE_DAYS * DAY_MS),
    ]);
    return [...ended.toReversed(), ...ahead].map((one) => toPublicMaintenance(one, parts));
  }
}
