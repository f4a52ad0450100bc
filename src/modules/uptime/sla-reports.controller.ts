import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { dateOf } from '../../domain/utc-day.js';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { ApiProblems } from '../../http/openapi/openapi.js';
import { CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { SlaReportDto, SlaReportQuery } from './dto/sla-report.dto.js';
import { toCsv } from './sla-report.csv.js';
import { CSV_EXAMPLE } from './sla-report.example.js';
import { SlaReportsService } from './sla-reports.service.js';

const JSON_TYPE = 'application/json';
const CSV_TYPE = 'text/csv';

@ApiTags('Reports')
@ApiExtraModels(SlaReportDto)
@Controller('v1/reports/sla')
export class SlaReportsController {
  constructor(private readonly reports: SlaReportsService) {}

  /**
   * Reports the uptime of monitors against a target. The period defaults to the last 30 days, including today. The
   * figures match the daily uptime. With `Accept: text/csv`, the response is a table with a header, a row for each
   * monitor, and the total, which has no `monitorId`; values that a spreadsheet would interpret as a formula are
   * prefixed with an apostrophe.
   */
  @Get()
  @RequireScope('read')
  @ApiOkResponse({
    description: 'The report.',
    headers: {
      'Content-Disposition': { description: 'A file name; only with CSV.', schema: { type: 'string' } },
    },
    content: {
      [JSON_TYPE]: { schema: { $ref: getSchemaPath(SlaReportDto) } },
      [CSV_TYPE]: { schema: { type: 'string' }, example: CSV_EXAMPLE },
    },
  })
  @ApiProblems()
  async get(
    @CurrentTeam() team: TeamId,
    @Query() query: SlaReportQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SlaReportDto | string> {
    const report = await this.reports.report(team, query);
    response.vary('Accept');
    if (request.accepts([JSON_TYPE, CSV_TYPE]) !== CSV_TYPE) return report;
    const [first, last] = [dateOf(Date.parse(report.from)), dateOf(Date.parse(report.to) - 1)];
    response.attachment(`sla-${first}-${last}.csv`).set('Content-Type', `${CSV_TYPE}; charset=utf-8; header=present`);
    return toCsv(report);
  }
}
