import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { ApiProblems } from '../../http/openapi/openapi.js';
import { ApiMonitorId } from '../monitors/api-monitor.decorator.js';
import { ResponseTimesDto, ResponseTimesQuery } from './dto/response-times.dto.js';
import { ResponseTimesService } from './response-times.service.js';

@ApiTags('Checks')
@ApiMonitorId()
@Controller('v1/monitors/:id/response-times')
export class ResponseTimesController {
  constructor(private readonly responseTimes: ResponseTimesService) {}

  /**
   * Gets the response times of a monitor over a period, in buckets of equal length. The period defaults to the last 24
   * hours. It may be as long as results of checks are kept (90 days, unless the operator has changed that), and have up
   * to 1,000,000 checks.
   */
  @Get()
  @RequireScope('read')
  @ApiOkResponse({ type: ResponseTimesDto, description: 'The response times.' })
  @ApiProblems('not_found')
  get(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Query() query: ResponseTimesQuery,
  ): Promise<ResponseTimesDto> {
    return this.responseTimes.ofMonitor(team, id, query);
  }
}
