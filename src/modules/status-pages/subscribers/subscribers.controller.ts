import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../http/auth/access.decorators.js';
import { CurrentTeam, type TeamId } from '../../../http/auth/principal.js';
import { Keep, type KeepAnswer } from '../../../http/idempotency/keep-answer.js';
import { ApiItemId } from '../../../http/items/item-id.decorator.js';
import { Located } from '../../../http/items/representation.js';
import { type Page } from '../../../http/lists/page.js';
import { ApiProblems, BODY_PROBLEMS, CREATED_HEADERS, PAGE_HEADERS } from '../../../http/openapi/openapi.js';
import {
  CreateSubscriberDto,
  ImportedSubscribersDto,
  ImportSubscribersDto,
  ListSubscribersDto,
  SubscriberDto,
  SubscriberPageDto,
} from './dto/subscriber.dto.js';
import { SubscribersService } from './subscribers.service.js';

const StatusPageId = () => ApiItemId('page', 'example');

const SubscriberId = () =>
  ApiParam({
    name: 'subscriberId',
    description: 'The id of the subscriber.',
    schema: { type: 'string', format: 'uuid', example: '0198c9a4-d6f4-7a32-8b1c-2d3e4f506173' },
  });

/** Subscribers are people outside the team: only keys with the scope `admin` see their addresses. */
@ApiTags('Subscribers')
@Controller('v1/status-pages/:id/subscribers')
export class SubscribersController {
  constructor(private readonly subscribers: SubscribersService) {}

  /** Lists the subscribers of a status page, newest first. */
  @Get()
  @RequireScope('admin')
  @StatusPageId()
  @ApiOkResponse({ type: SubscriberPageDto, description: 'A page of subscribers.', headers: PAGE_HEADERS })
  @ApiProblems('invalid_cursor', 'not_found')
  list(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Query() query: ListSubscribersDto,
  ): Promise<Page<SubscriberDto>> {
    return this.subscribers.list(team, id, query);
  }

  /**
   * Adds a subscriber to a status page. The address is sent a link to confirm, unless `consentSource` states where its
   * owner consented. An address that left the page cannot be added with `consentSource` (409 `conflict`). An address that
   * bounced is sent mail again once it is added, unless it bounces again; one whose owner reported spam cannot be added.
   */
  @Post()
  @RequireScope('admin')
  @StatusPageId()
  @Located('/v1/status-pages/{statusPageId}/subscribers/{id}')
  @ApiBody({
    type: CreateSubscriberDto,
    examples: {
      consented: {
        summary: 'Someone who consented elsewhere.',
        value: { email: 'jo@example.com', consentSource: 'Support contract of 1 March 2026' },
      },
    },
  })
  @ApiCreatedResponse({
    type: SubscriberDto,
    description: 'The subscriber.',
    headers: { Location: CREATED_HEADERS.Location },
  })
  @ApiProblems(...BODY_PROBLEMS, 'not_found', 'conflict', 'limit_reached')
  create(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Body() body: unknown,
    @Keep() keep: KeepAnswer,
  ): Promise<SubscriberDto> {
    return this.subscribers.create(team, id, body, keep);
  }

  /**
   * Imports subscribers of a status page from a CSV file. Sends nothing: `consentSource` states where these people
   * consented. Lines that are not addresses, are already subscribed, left the page or are quarantined are skipped and
   * reported.
   */
  @Post('import')
  @HttpCode(200)
  @RequireScope('admin')
  @StatusPageId()
  @ApiBody({
    type: ImportSubscribersDto,
    examples: {
      export: {
        summary: 'An export from another service.',
        value: {
          consentSource: 'Export from the previous status page',
          csv: 'email\nsam@example.com\nkim@example.com\n',
        },
      },
    },
  })
  @ApiOkResponse({ type: ImportedSubscribersDto, description: 'What was imported, and what was not.' })
  @ApiProblems(...BODY_PROBLEMS, 'not_found', 'limit_reached')
  import(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Body() body: unknown,
    @Keep() keep: KeepAnswer,
  ): Promise<ImportedSubscribersDto> {
    return this.subscribers.import(team, id, body, keep);
  }

  /** Gets a subscriber of a status page. */
  @Get(':subscriberId')
  @RequireScope('admin')
  @StatusPageId()
  @SubscriberId()
  @ApiOkResponse({ type: SubscriberDto, description: 'The subscriber.' })
  @ApiProblems('not_found')
  get(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Param('subscriberId') subscriberId: string,
  ): Promise<SubscriberDto> {
    return this.subscribers.get(team, id, subscriberId);
  }

  /**
   * Removes a subscriber from a status page. The address is erased everywhere, except for a keyed hash by which imports
   * skip it.
   */
  @Delete(':subscriberId')
  @HttpCode(204)
  @RequireScope('admin')
  @StatusPageId()
  @SubscriberId()
  @ApiNoContentResponse({ description: 'Removed.' })
  @ApiProblems('not_found')
  remove(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Param('subscriberId') subscriberId: string,
  ): Promise<void> {
    return this.subscribers.remove(team, id, subscriberId);
  }
}
