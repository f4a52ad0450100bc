import { Get, Req } from '@nestjs/common';
import { DAY_MS } from '../../../domain/durations.js';
import { dateOf } from '../../../domain/utc-day.js';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { AlertingReports } from '../../notifications/alerting-reports.service.js';
import { AlertingReportQuery } from '../../notifications/dto/alerting-report.dto.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { listQuery } from '../list-query.js';
import { Html, type PageAnswer } from '../page-answer.js';
import { CurrentSession, Frame, type PageFrame, type PageRequest } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { REPORT_PATH } from './notification-tabs.js';
import { DEFAULT_DAYS, PERIODS, renderReport, type ReportPeriod } from './report.view.js';

/** The page "Alerting report": how fast outages were confirmed, sent and acknowledged. */
@Pages(REPORT_PATH.slice(1))
export class AlertingReportPageController {
  constructor(private readonly reports: AlertingReports) {}

  @Get()
  @RequireRole('viewer')
  async show(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Req() { query: sent }: PageRequest,
  ): Promise<PageAnswer> {
    const { period, query } = asked(sent, frame.nowMs);
    return new Html(renderReport(frame, { report: await this.reports.report(teamId, query), period }));
  }
}

/** Returns the requested period. Dates take precedence over a number of days. @throws 400 for invalid dates */
function asked(sent: PageRequest['query'], nowMs: number): { period: ReportPeriod; query: AlertingReportQuery } {
  const dates = listQuery(AlertingReportQuery, sent, ['from', 'to']);
  if (dates.from !== undefined || dates.to !== undefined) return { period: { days: null }, query: dates };
  const days = PERIODS.find((one) => String(one) === sent.days) ?? DEFAULT_DAYS;
  const from = dateOf(nowMs - (days - 1) * DAY_MS);
  return { period: { days }, query: { from } };
}
