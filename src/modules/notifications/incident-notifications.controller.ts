import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { type Page, PageQueryDto } from '../../http/lists/page.js';
import { ApiProblems, PAGE_HEADERS } from '../../http/openapi/openapi.js';
import { type NotificationDto, NotificationPageDto } from './dto/notification.dto.js';
import { NotificationsService } from './notifications.service.js';

@ApiTags('Notifications')
@Controller('v1/incidents/:id/notifications')
export class IncidentNotificationsController {
  constructor(private readonly notifications: NotificationsService) {}

  /** Lists the notifications about an incident, newest first. */
  @Get()
  @RequireScope('read')
  @ApiParam({
    name: 'id',
    description: 'The id of the incident.',
    schema: { type: 'string', format: 'uuid', example: '0198c9a4-9a11-7b7e-8f35-5a0f3f3d7a01' },
  })
  @ApiOkResponse({ type: NotificationPageDto, description: 'A page of notifications.', headers: PAGE_HEADERS })
  @ApiProblems('invalid_cursor', 'not_found')
  list(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Query() query: PageQueryDto,
  ): Promise<Page<NotificationDto>> {
    return this.notifications.listOf(team, id, query);
  }
}
