import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../http/auth/access.decorators.js';
import { ApiProblems, PAGE_HEADERS } from '../../../http/openapi/openapi.js';
import { type Page } from '../../../http/lists/page.js';
import { CurrentTeam, type TeamId } from '../../../http/auth/principal.js';
import { ApiMonitorId } from '../api-monitor.decorator.js';
import { ListTransitionsQuery, type TransitionDto, TransitionPageDto } from '../dto/transition.dto.js';
import { TransitionsService } from './transitions.service.js';

@ApiTags('Uptime')
@ApiMonitorId()
@Controller('v1/monitors/:id/transitions')
export class TransitionsController {
  constructor(private readonly transitions: TransitionsService) {}

  /** Lists a monitor's confirmed changes of state, newest first. */
  @Get()
  @RequireScope('read')
  @ApiOkResponse({ type: TransitionPageDto, description: 'A page of transitions.', headers: PAGE_HEADERS })
  @ApiProblems('invalid_cursor', 'not_found')
  list(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Query() query: ListTransitionsQuery,
  ): Promise<Page<TransitionDto>> {
    return this.transitions.list(team, id, query);
  }
}
