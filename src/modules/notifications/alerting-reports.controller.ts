import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { ApiProblems } from '../../http/openapi/openapi.js';
import { AlertingReports } from './alerting-reports.service.js';
import { AlertingReportDto, AlertingReportQuery } from './dto/alerting-report.dto.js';

@ApiTags('Reports')
@Controller('v1/reports/alerting')
export class AlertingReportsController {
  constructor(private readonly reports: AlertingReports) {}

  /**
   * Reports how fast outages were confirmed, sent and acknowledged. Returns the median and the 95th percentile, in total,
   * by policy and by channel. Covers the latest 10,000 detected incidents that started in the period, which defaults to
   * the last 30 days, including today. Retracted incidents do not count.
   */
  @Get()
  @RequireScope('read')
  @ApiOkResponse({ type: AlertingReportDto, description: 'The report.' })
  @ApiProblems()
  get(@CurrentTeam() team: TeamId, @Query() query: AlertingReportQuery): Promise<AlertingReportDto> {
    return this.reports.report(team, query);
  }
}
