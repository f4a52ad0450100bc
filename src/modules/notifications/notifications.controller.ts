import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { RawBody } from '../../http/body/raw-body.decorator.js';
import { Keep, type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { type Page } from '../../http/lists/page.js';
import { ApiProblems, BODY_PROBLEMS, PAGE_HEADERS } from '../../http/openapi/openapi.js';
import { ListNotificationsDto } from './dto/list-notifications.dto.js';
import { NotificationDto, NotificationPageDto } from './dto/notification.dto.js';
import { NotificationsService } from './notifications.service.js';

const NotificationId = () =>
  ApiParam({
    name: 'id',
    description: 'The id of the notification.',
    schema: { type: 'string', format: 'uuid', example: '0198c9a4-e0a1-7d43-9c2d-3e4f50617283' },
  });

@ApiTags('Notifications')
@Controller('v1/notifications')
export class NotificationsController {
  constructor(private readonly notifications: NotificationsService) {}

  /**
   * Lists notifications, newest first: what was sent, what waits, and what was not sent, each with its reason. An
   * outage to which no policy applies has one notification with the reason `no_policy`.
   */
  @Get()
  @RequireScope('read')
  @ApiOkResponse({ type: NotificationPageDto, description: 'A page of notifications.', headers: PAGE_HEADERS })
  @ApiProblems('invalid_cursor')
  list(@CurrentTeam() team: TeamId, @Query() query: ListNotificationsDto): Promise<Page<NotificationDto>> {
    return this.notifications.list(team, query);
  }

  /** Gets a notification with its attempts. */
  @Get(':id')
  @RequireScope('read')
  @NotificationId()
  @ApiOkResponse({ type: NotificationDto, description: 'The notification.' })
  @ApiProblems('not_found')
  get(@CurrentTeam() team: TeamId, @Param('id') id: string): Promise<NotificationDto> {
    return this.notifications.get(team, id);
  }

  /**
   * Sends a notification at once that has failed or waits for its next attempt. If the alert has ended meanwhile, the
   * message about its end is sent instead, and the response is the notification of that.
   */
  @Post(':id/retry')
  @HttpCode(200)
  @RequireScope('write')
  @NotificationId()
  @ApiOkResponse({ type: NotificationDto, description: 'The notification whose next attempt is due.' })
  @ApiProblems(...BODY_PROBLEMS, 'not_found', 'conflict')
  retry(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @RawBody() body: unknown,
    @Keep() keep: KeepAnswer,
  ): Promise<NotificationDto> {
    return this.notifications.retry(team, id, body, keep);
  }
}
