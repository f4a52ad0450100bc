import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { ApiProblems } from '../../http/openapi/openapi.js';
import { type Page } from '../../http/lists/page.js';
import { CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { type Representation } from '../../http/items/representation.js';
import { ApiMonitorId } from './api-monitor.decorator.js';
import { type MonitorDefinitionView } from './dto/monitor.dto.js';
import { ListMonitorsQuery } from './dto/list-monitors.query.js';
import { ApiMonitorDefinition, ApiMonitorDefinitionPage } from './monitors.openapi.js';
import { MonitorsService } from './monitors.service.js';

@ApiTags('Monitors')
@Controller('v1')
export class MonitorDefinitionsController {
  constructor(private readonly monitors: MonitorsService) {}

  /** Lists the writable fields of monitors, for export. The filters and sort orders are those of `GET /v1/monitors`. */
  @Get('definitions/monitors')
  @RequireScope('read')
  @ApiMonitorDefinitionPage()
  @ApiProblems('invalid_cursor')
  list(@CurrentTeam() team: TeamId, @Query() query: ListMonitorsQuery): Promise<Page<MonitorDefinitionView>> {
    return this.monitors.listDefinitions(team, query);
  }

  /**
   * Gets the writable fields of a monitor. Edit them and send them back with PUT. Secrets are masked; a mask that is
   * sent back leaves the stored secret unchanged. The `ETag` can be used as `If-Match` of writes to the monitor.
   */
  @Get('monitors/:id/definition')
  @RequireScope('read')
  @ApiMonitorId()
  @ApiMonitorDefinition()
  @ApiProblems('not_found')
  get(@CurrentTeam() team: TeamId, @Param('id') id: string): Promise<Representation<MonitorDefinitionView>> {
    return this.monitors.definition(team, id);
  }
}
