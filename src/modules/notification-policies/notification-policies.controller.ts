import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';
import { type Response } from 'express';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { Keep, type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { IfMatch } from '../../http/items/if-match.decorator.js';
import { ApiItemId } from '../../http/items/item-id.decorator.js';
import { Located } from '../../http/items/representation.js';
import { type Page } from '../../http/lists/page.js';
import {
  ApiConditionalGet,
  ApiProblems,
  BODY_PROBLEMS,
  CREATED_HEADERS,
  ITEM_HEADERS,
  PAGE_HEADERS,
} from '../../http/openapi/openapi.js';
import { CreateNotificationPolicyDto, UpdateNotificationPolicyDto } from './dto/create-notification-policy.dto.js';
import {
  ListNotificationPoliciesDto,
  NotificationPolicyDto,
  NotificationPolicyPageDto,
} from './dto/notification-policy.dto.js';
import { NotificationPreviewDto, PreviewNotificationsDto } from './dto/preview.dto.js';
import { NotificationPoliciesService } from './notification-policies.service.js';
import { NotificationPolicyWritesService } from './notification-policy-writes.service.js';
import { NotificationPreviewService } from './notification-preview.service.js';

const PolicyId = () => ApiItemId('notification policy', 'production');

const EVERYTHING = {
  name: 'Everything',
  match: { all: true },
  steps: [{ afterSeconds: 0, channelIds: ['key:slack-ops'] }],
};
const ESCALATING = {
  name: 'Production',
  match: { tags: ['production'], notTags: ['staging'] },
  on: ['down'],
  steps: [
    { afterSeconds: 0, channelIds: ['key:slack-ops'] },
    { afterSeconds: 300, channelIds: ['key:pagerduty-primary'] },
  ],
  repeatEverySeconds: 1_800,
  quietHours: { timezone: 'Europe/Berlin', days: ['saturday', 'sunday'], from: '22:00', to: '07:00', except: ['down'] },
};
const EXAMPLES = {
  escalating: { summary: 'Notify a chat at once, and the person on call after five minutes.', value: ESCALATING },
  everything: { summary: 'Notify one channel of all monitors.', value: EVERYTHING },
};
const PREVIEW_EXAMPLES = {
  stored: {
    summary: 'Who is notified if the monitor goes down on Sunday at 03:00?',
    value: { monitorId: 'key:checkout-api', event: 'down', at: '2030-01-06T03:00:00Z' },
  },
  unsaved: {
    summary: 'Preview a policy before it is created.',
    value: { monitorId: 'key:checkout-api', policy: EVERYTHING },
  },
};

@ApiTags('Notification policies')
@Controller('v1/notification-policies')
export class NotificationPoliciesController {
  constructor(
    private readonly policies: NotificationPoliciesService,
    private readonly writes: NotificationPolicyWritesService,
    private readonly previews: NotificationPreviewService,
  ) {}

  /** Lists notification policies, newest first. */
  @Get()
  @RequireScope('read')
  @ApiOkResponse({ type: NotificationPolicyPageDto, headers: PAGE_HEADERS })
  @ApiProblems('invalid_cursor')
  list(@CurrentTeam() team: TeamId, @Query() query: ListNotificationPoliciesDto): Promise<Page<NotificationPolicyDto>> {
    return this.policies.list(team, query);
  }

  /**
   * Creates a notification policy: which events of which monitors notify which channels. Several policies may apply to
   * a monitor; a channel that several of them name at the same moment is notified once.
   */
  @Post()
  @RequireScope('write')
  @Located('/v1/notification-policies/{id}')
  @ApiBody({
    type: CreateNotificationPolicyDto,
    examples: {
      escalating: { ...EXAMPLES.escalating, value: { key: 'production', ...ESCALATING } },
      everything: { ...EXAMPLES.everything, value: { key: 'everything', ...EVERYTHING } },
    },
  })
  @ApiCreatedResponse({ type: NotificationPolicyDto, headers: CREATED_HEADERS })
  @ApiProblems(...BODY_PROBLEMS, 'key_taken', 'limit_reached')
  create(@CurrentTeam() team: TeamId, @Body() body: unknown, @Keep() keep: KeepAnswer): Promise<NotificationPolicyDto> {
    return this.writes.create(team, body, keep);
  }

  /**
   * Previews who would be notified of an event of a monitor, and when, if it lasts 24 hours and nobody acknowledges it.
   * Applies the stored policies or, if given, only a policy that is not stored, and the silences at that time. Nothing
   * is stored or sent.
   */
  @Post('preview')
  @HttpCode(200)
  @RequireScope('read')
  @ApiBody({ type: PreviewNotificationsDto, examples: PREVIEW_EXAMPLES })
  @ApiOkResponse({ type: NotificationPreviewDto, description: 'Who would be notified.' })
  @ApiProblems(...BODY_PROBLEMS)
  preview(@CurrentTeam() team: TeamId, @Body() body: unknown): Promise<NotificationPreviewDto> {
    return this.previews.preview(team, body);
  }

  /** Gets a notification policy by id or `key:<key>`. */
  @Get(':id')
  @RequireScope('read')
  @PolicyId()
  @ApiConditionalGet()
  @ApiOkResponse({ type: NotificationPolicyDto, headers: ITEM_HEADERS })
  @ApiProblems('not_found')
  get(@CurrentTeam() team: TeamId, @Param('id') id: string): Promise<NotificationPolicyDto> {
    return this.policies.get(team, id);
  }

  /**
   * Creates or replaces a notification policy. With `key:<key>`, a missing policy is created; the request is safe to
   * repeat, and of concurrent requests the last one wins. With an id, the policy must exist. Omitted fields take their
   * defaults.
   */
  @Put(':id')
  @RequireScope('write')
  @PolicyId()
  @Located('/v1/notification-policies/{id}')
  @ApiBody({ type: CreateNotificationPolicyDto, examples: EXAMPLES })
  @ApiOkResponse({ type: NotificationPolicyDto, headers: ITEM_HEADERS })
  @ApiCreatedResponse({ type: NotificationPolicyDto, headers: CREATED_HEADERS })
  @ApiProblems(...BODY_PROBLEMS, 'not_found', 'key_taken', 'conflict', 'limit_reached')
  async put(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Body() body: unknown,
    @IfMatch() ifMatch: IfMatch,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NotificationPolicyDto> {
    const { answer, created } = await this.writes.put(team, id, body, ifMatch);
    response.status(created ? 201 : 200);
    return answer;
  }

  /** Changes a notification policy with a JSON merge patch (RFC 7396). */
  @Patch(':id')
  @RequireScope('write')
  @PolicyId()
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiBody({
    type: UpdateNotificationPolicyDto,
    examples: { disable: { summary: 'Disable the policy.', value: { enabled: false } } },
  })
  @ApiOkResponse({ type: NotificationPolicyDto, headers: ITEM_HEADERS })
  @ApiProblems(...BODY_PROBLEMS, 'not_found', 'key_taken', 'conflict')
  update(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Body() body: unknown,
    @IfMatch() ifMatch: IfMatch,
  ): Promise<NotificationPolicyDto> {
    return this.writes.update(team, id, body, ifMatch);
  }

  /** Deletes a notification policy. Channels that it has notified are still notified when those alerts end. */
  @Delete(':id')
  @HttpCode(204)
  @RequireScope('write')
  @PolicyId()
  @ApiNoContentResponse()
  @ApiProblems('not_found')
  async remove(@CurrentTeam() team: TeamId, @Param('id') id: string, @IfMatch() ifMatch: IfMatch): Promise<void> {
    await this.writes.remove(team, id, ifMatch);
  }
}
