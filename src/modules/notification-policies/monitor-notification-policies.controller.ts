import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { ApiProblems } from '../../http/openapi/openapi.js';
import { ApiMonitorId } from '../monitors/api-monitor.decorator.js';
import { MonitorPoliciesDto } from './dto/monitor-policy.dto.js';
import { NotificationPoliciesService } from './notification-policies.service.js';

@ApiTags('Notification policies')
@ApiMonitorId()
@Controller('v1/monitors/:id/notification-policies')
export class MonitorNotificationPoliciesController {
  constructor(private readonly policies: NotificationPoliciesService) {}

  /** Lists the notification policies that apply to a monitor, oldest first, with the channels that they notify. */
  @Get()
  @RequireScope('read')
  @ApiOkResponse({ type: MonitorPoliciesDto, description: 'All policies that apply to the monitor.' })
  @ApiProblems('not_found')
  list(@CurrentTeam() team: TeamId, @Param('id') id: string): Promise<MonitorPoliciesDto> {
    return this.policies.appliedTo(team, id);
  }
}
