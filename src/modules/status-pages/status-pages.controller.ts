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
import { Keep, type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { IfMatch } from '../../http/items/if-match.decorator.js';
import { ApiItemId } from '../../http/items/item-id.decorator.js';
import {
  ApiConditionalGet,
  ApiProblems,
  BODY_PROBLEMS,
  CREATED_HEADERS,
  ITEM_HEADERS,
  PAGE_HEADERS,
} from '../../http/openapi/openapi.js';
import { type Page } from '../../http/lists/page.js';
import { CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { Located, type Representation } from '../../http/items/representation.js';
import { ItemQueryDto } from '../../http/lists/view.query.js';
import { CreateStatusPageDto, UpdateStatusPageDto } from './dto/create-status-page.dto.js';
import { ListStatusPagesDto } from './dto/list-status-pages.dto.js';
import { type StatusPageDefinitionDto, StatusPageDto, StatusPagePageDto } from './dto/status-page.dto.js';
import { StatusPageWritesService } from './status-page-writes.service.js';
import { StatusPagesService } from './status-pages.service.js';

const StatusPageId = () => ApiItemId('page', 'example');

const COMPONENTS = {
  name: 'Example status',
  slug: 'example',
  historyDays: 90,
  components: [{ monitorId: 'key:checkout-api', name: 'Checkout', group: 'Shop' }],
};

@ApiTags('Status pages')
@Controller('v1/status-pages')
export class StatusPagesController {
  constructor(
    private readonly pages: StatusPagesService,
    private readonly writes: StatusPageWritesService,
  ) {}

  /** Lists status pages, newest first. */
  @Get()
  @RequireScope('read')
  @ApiOkResponse({
    type: StatusPagePageDto,
    headers: PAGE_HEADERS,
  })
  @ApiProblems('invalid_cursor')
  list(
    @CurrentTeam() team: TeamId,
    @Query() query: ListStatusPagesDto,
  ): Promise<Page<StatusPageDto | StatusPageDefinitionDto>> {
    return this.pages.list(team, query);
  }

  /** Creates a status page. Unless `published` is false, it is available at `publicUrl` immediately. */
  @Post()
  @RequireScope('write')
  @Located('/v1/status-pages/{id}')
  @ApiBody({
    type: CreateStatusPageDto,
    examples: {
      monitors: {
        summary: 'Monitors with default settings.',
        value: { key: 'example', name: 'Example status', slug: 'example', monitorIds: ['key:checkout-api'] },
      },
      components: {
        summary: 'Components with their own names and groups.',
        value: { ...COMPONENTS, key: 'example-shop', name: 'Example shop', slug: 'example-shop' },
      },
    },
  })
  @ApiCreatedResponse({ type: StatusPageDto, headers: CREATED_HEADERS })
  @ApiProblems(...BODY_PROBLEMS, 'key_taken', 'slug_taken', 'domain_taken', 'limit_reached')
  create(@CurrentTeam() team: TeamId, @Body() body: unknown, @Keep() keep: KeepAnswer): Promise<StatusPageDto> {
    return this.writes.create(team, body, keep);
  }

  /** Gets a status page by id or `key:<key>`. */
  @Get(':id')
  @RequireScope('read')
  @StatusPageId()
  @ApiConditionalGet()
  @ApiOkResponse({ type: StatusPageDto, headers: ITEM_HEADERS })
  @ApiProblems('not_found')
  get(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Query() { view }: ItemQueryDto,
  ): Promise<StatusPageDto | Representation> {
    return view === 'definition' ? this.pages.definition(team, id) : this.pages.get(team, id);
  }

  /**
   * Creates or replaces a status page. With `key:<key>`, a missing page is created; the request is safe to repeat, and
   * of concurrent requests the last one wins. With an id, the page must exist. Omitted fields take their defaults, but
   * a stored password is kept.
   */
  @Put(':id')
  @RequireScope('write')
  @StatusPageId()
  @Located('/v1/status-pages/{id}')
  @ApiBody({
    type: CreateStatusPageDto,
    examples: { components: { summary: 'The complete definition.', value: COMPONENTS } },
  })
  @ApiOkResponse({ type: StatusPageDto, headers: ITEM_HEADERS })
  @ApiCreatedResponse({ type: StatusPageDto, headers: CREATED_HEADERS })
  @ApiProblems(...BODY_PROBLEMS, 'not_found', 'key_taken', 'slug_taken', 'domain_taken', 'conflict', 'limit_reached')
  async put(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Body() body: unknown,
    @IfMatch() ifMatch: IfMatch,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StatusPageDto> {
    const { answer, created } = await this.writes.put(team, id, body, ifMatch);
    response.status(created ? 201 : 200);
    return answer;
  }

  /** Updates a status page with a JSON merge patch (RFC 7396). Components that are sent again keep their ids. */
  @Patch(':id')
  @RequireScope('write')
  @StatusPageId()
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiBody({
    type: UpdateStatusPageDto,
    examples: {
      texts: {
        summary: 'Name and description.',
        value: { name: 'Example status', description: 'The services that our customers use.' },
      },
      looks: {
        summary: 'Colour, logo and theme.',
        value: { accentColor: '#0c8599', logoUrl: 'https://example.com/logo.svg', theme: 'auto' },
      },
    },
  })
  @ApiOkResponse({ type: StatusPageDto, headers: ITEM_HEADERS })
  @ApiProblems(...BODY_PROBLEMS, 'not_found', 'key_taken', 'slug_taken', 'domain_taken', 'conflict')
  update(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Body() body: unknown,
    @IfMatch() ifMatch: IfMatch,
  ): Promise<StatusPageDto> {
    return this.writes.update(team, id, body, ifMatch);
  }

  /** Deletes a status page. Its monitors are not deleted. */
  @Delete(':id')
  @HttpCode(204)
  @RequireScope('write')
  @StatusPageId()
  @ApiNoContentResponse()
  @ApiProblems('not_found', 'conflict')
  async remove(@CurrentTeam() team: TeamId, @Param('id') id: string, @IfMatch() ifMatch: IfMatch): Promise<void> {
    await this.writes.remove(team, id, ifMatch);
  }
}
