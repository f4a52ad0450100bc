import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { Keep, type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { Located } from '../../http/items/representation.js';
import { ApiProblems, BODY_PROBLEMS, CREATED_HEADERS } from '../../http/openapi/openapi.js';
import { ApiMonitorId } from '../monitors/api-monitor.decorator.js';
import { IncidentDto } from './dto/incident.dto.js';
import { StartDrillDto } from './dto/start-drill.dto.js';
import { DrillsService } from './drills.service.js';

@ApiTags('Incidents')
@ApiMonitorId()
@Controller('v1/monitors/:id/drill')
export class MonitorDrillsController {
  constructor(private readonly drills: DrillsService) {}

  /**
   * Starts a drill, which tests who is notified of an outage of a monitor. It opens an incident of the kind `drill`,
   * which the notification policies of the monitor handle like an outage; every message states that it is a drill. The
   * status of the monitor, uptime, reports and status pages do not change. Parents and maintenance of the monitor do not
   * hold back the notifications. The drill ends after `endAfterSeconds`, 60 seconds after it is acknowledged, or when
   * its `resolvedAt` is set. A monitor can have one open drill, and a team 10.
   */
  @Post()
  @RequireScope('write')
  @Located('/v1/incidents/{id}')
  @ApiBody({
    type: StartDrillDto,
    required: false,
    examples: {
      quarter: { summary: 'For 15 minutes.', value: {} },
      brief: { summary: 'For five minutes.', value: { endAfterSeconds: 300 } },
    },
  })
  @ApiCreatedResponse({ type: IncidentDto, headers: CREATED_HEADERS })
  @ApiProblems(...BODY_PROBLEMS, 'not_found', 'conflict', 'limit_reached')
  start(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Body() body: unknown,
    @Keep() keep: KeepAnswer,
  ): Promise<IncidentDto> {
    return this.drills.start(team, id, body, keep);
  }
}
