import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { ApiProblems, PAGE_HEADERS } from '../../http/openapi/openapi.js';
import { type Page } from '../../http/lists/page.js';
import { CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { ApiMonitorId } from '../monitors/api-monitor.decorator.js';
import { type IncidentDto, IncidentPageDto } from './dto/incident.dto.js';
import { ListMonitorIncidentsQuery } from './dto/list-incidents.dto.js';
import { IncidentsService } from './incidents.service.js';

@ApiTags('Incidents')
@ApiMonitorId()
@Controller('v1/monitors/:id/incidents')
export class MonitorIncidentsController {
  constructor(private readonly incidents: IncidentsService) {}

  /** Lists the detected and manual incidents of a monitor, sorted by start, newest first. */
  @Get()
  @RequireScope('read')
  @ApiOkResponse({ type: IncidentPageDto, description: 'A page of incidents.', headers: PAGE_HEADERS })
  @ApiProblems('invalid_cursor', 'not_found')
  list(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Query() query: ListMonitorIncidentsQuery,
  ): Promise<Page<IncidentDto>> {
    return this.incidents.listOf(team, id, query);
  }
}
