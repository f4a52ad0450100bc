import { Body, Controller, Delete, Get, Header, HttpCode, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { RawBody } from '../../http/body/raw-body.decorator.js';
import { Keep, type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { IfMatch } from '../../http/items/if-match.decorator.js';
import { ApiItemId } from '../../http/items/item-id.decorator.js';
import { Located } from '../../http/items/representation.js';
import { type Page } from '../../http/lists/page.js';
import { ApiConditionalGet, ApiProblems, BODY_PROBLEMS } from '../../http/openapi/openapi.js';
import { ChannelRotationService } from './channel-rotation.service.js';
import { ChannelTestsService } from './channel-tests.service.js';
import { ChannelDeliveryDto } from './dto/channel-delivery.dto.js';
import { ListNotificationChannelsDto, type NotificationChannelDto } from './dto/notification-channel.dto.js';
import { NotificationChannelWritesService } from './notification-channel-writes.service.js';
import {
  ApiChannel,
  ApiChannelBody,
  ApiChannelPage,
  ApiChannelPatch,
  ApiChannelReplacement,
} from './notification-channels.openapi.js';
import { NotificationChannelsService } from './notification-channels.service.js';

const ChannelId = () => ApiItemId('notification channel', 'deploy-bot');
/** A response may contain a generated secret. */
const NoStore = () => Header('Cache-Control', 'no-store');

@ApiTags('Notification channels')
@Controller('v1/notification-channels')
export class NotificationChannelsController {
  constructor(
    private readonly channels: NotificationChannelsService,
    private readonly writes: NotificationChannelWritesService,
    private readonly tests: ChannelTestsService,
    private readonly rotations: ChannelRotationService,
  ) {}

  /** Lists notification channels, newest first. */
  @Get()
  @RequireScope('read')
  @ApiChannelPage()
  @ApiProblems('invalid_cursor')
  list(
    @CurrentTeam() team: TeamId,
    @Query() query: ListNotificationChannelsDto,
  ): Promise<Page<NotificationChannelDto>> {
    return this.channels.list(team, query);
  }

  /**
   * Creates a notification channel: where notifications are sent. Notification policies decide what is sent there. A
   * secret that is generated, such as the signing secret of a webhook, is shown only in this response: all others
   * contain `"********"` in its place, and so does a response replayed for an `Idempotency-Key`.
   */
  @Post()
  @RequireScope('write')
  @Located('/v1/notification-channels/{id}')
  @NoStore()
  @ApiChannelBody()
  @ApiChannel(201)
  @ApiProblems(...BODY_PROBLEMS, 'key_taken', 'limit_reached')
  create(
    @CurrentTeam() team: TeamId,
    @Body() body: unknown,
    @Keep() keep: KeepAnswer,
  ): Promise<NotificationChannelDto> {
    return this.writes.create(team, body, keep);
  }

  /** Gets a notification channel by id or `key:<key>`, with its secrets masked. */
  @Get(':id')
  @RequireScope('read')
  @ChannelId()
  @ApiConditionalGet()
  @ApiChannel(200)
  @ApiProblems('not_found')
  get(@CurrentTeam() team: TeamId, @Param('id') id: string): Promise<NotificationChannelDto> {
    return this.channels.get(team, id);
  }

  /**
   * Creates or replaces a notification channel. With `key:<key>`, a missing channel is created; the request is safe to
   * repeat, and of concurrent requests the last one wins. With an id, the channel must exist. Omitted fields take their
   * defaults, except stored secrets, which are retained.
   */
  @Put(':id')
  @RequireScope('write')
  @ChannelId()
  @Located('/v1/notification-channels/{id}')
  @NoStore()
  @ApiChannelReplacement()
  @ApiChannel(200)
  @ApiChannel(201)
  @ApiProblems(...BODY_PROBLEMS, 'not_found', 'key_taken', 'conflict', 'limit_reached')
  async put(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Body() body: unknown,
    @IfMatch() ifMatch: IfMatch,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NotificationChannelDto> {
    const { answer, created } = await this.writes.put(team, id, body, ifMatch);
    response.status(created ? 201 : 200);
    return answer;
  }

  /** Changes a notification channel with a JSON merge patch (RFC 7396). */
  @Patch(':id')
  @RequireScope('write')
  @ChannelId()
  @NoStore()
  @ApiChannelPatch()
  @ApiChannel(200)
  @ApiProblems(...BODY_PROBLEMS, 'not_found', 'key_taken')
  update(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Body() body: unknown,
    @IfMatch() ifMatch: IfMatch,
  ): Promise<NotificationChannelDto> {
    return this.writes.update(team, id, body, ifMatch);
  }

  /** Deletes a notification channel. A channel that a notification policy uses cannot be deleted. */
  @Delete(':id')
  @HttpCode(204)
  @RequireScope('write')
  @ChannelId()
  @ApiNoContentResponse()
  @ApiProblems('not_found', 'in_use')
  async remove(@CurrentTeam() team: TeamId, @Param('id') id: string, @IfMatch() ifMatch: IfMatch): Promise<void> {
    await this.writes.remove(team, id, ifMatch);
  }

  /**
   * Sends a message marked TEST now, also through a disabled channel. For a receiver that manages alerts, an alert is
   * opened and resolved at once. Returns the delivery, with status 200 even if it failed. The result counts for the
   * health of the channel.
   */
  @Post(':id/test')
  @HttpCode(200)
  @RequireScope('write')
  @ChannelId()
  @ApiOkResponse({ type: ChannelDeliveryDto, description: 'The delivery.' })
  @ApiProblems(...BODY_PROBLEMS, 'not_found')
  test(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @RawBody() body: unknown,
    @Keep() keep: KeepAnswer,
  ): Promise<ChannelDeliveryDto> {
    return this.tests.run(team, id, body, keep);
  }

  /**
   * Rotates the secret of a notification channel that has one of its own, such as the signing secret of a webhook. Only
   * this response shows the new secret. For 24 hours, webhooks are signed with both secrets.
   */
  @Post(':id/rotate-secret')
  @HttpCode(200)
  @RequireScope('admin')
  @ChannelId()
  @NoStore()
  @ApiChannel(200)
  @ApiProblems(...BODY_PROBLEMS, 'not_found', 'rotation_unsupported')
  rotateSecret(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @RawBody() body: unknown,
    @IfMatch() ifMatch: IfMatch,
    @Keep() keep: KeepAnswer,
  ): Promise<NotificationChannelDto> {
    return this.rotations.rotate(team, id, body, ifMatch, keep);
  }
}
