import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { ApiProblems } from '../../http/openapi/openapi.js';
import { CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { ApiMonitorId } from '../monitors/api-monitor.decorator.js';
import { UptimeDto, UptimeQuery } from './dto/uptime.dto.js';
import { UptimeService } from './uptime.service.js';

@ApiTags('Uptime')
@ApiMonitorId()
@Controller('v1/monitors/:id/uptime')
export class UptimeController {
  constructor(private readonly uptime: UptimeService) {}

  /** Gets the uptime of a monitor by UTC day. The window defaults to the last 90 days, including today. */
  @Get()
  @RequireScope('read')
  @ApiOkResponse({ type: UptimeDto, description: 'The uptime.' })
  @ApiProblems('not_found')
  get(@CurrentTeam() team: TeamId, @Param('id') id: string, @Query() query: UptimeQuery): Promise<UptimeDto> {
    return this.uptime.ofMonitor(team, id, query);
  }
}
