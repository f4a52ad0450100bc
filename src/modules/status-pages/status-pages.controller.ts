import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { type Response } from 'express';
import { RequireScope } from '../../http/access.decorators.js';
import { ApiProblems, BODY_PROBLEMS } from '../../http/openapi.js';
import { type Page } from '../../http/page.js';
import { CurrentTeam, type TeamId } from '../../http/principal.js';
import { CreateStatusPageDto, UpdateStatusPageDto } from './dto/create-status-page.dto.js';
import { ListStatusPagesDto } from './dto/list-status-pages.dto.js';
import { StatusPageDto, StatusPagePageDto } from './dto/status-page.dto.js';
import { StatusPagesService } from './status-pages.service.js';

const StatusPageId = () =>
  ApiParam({ name: 'id', description: 'The id of the page, or `key:<key>`.', schema: { type: 'string' } });

@ApiTags('Status pages')
@Controller('v1/status-pages')
export class StatusPagesController {
  constructor(private readonly pages: StatusPagesService) {}

  /** Lists status pages, newest first. */
  @Get()
  @RequireScope('read')
  @ApiOkResponse({
    type: StatusPagePageDto,
    headers: { Link: { description: '`rel="next"` where there is a next page.', schema: { type: 'string' } } },
  })
  @ApiProblems('invalid_cursor')
  list(@CurrentTeam() team: TeamId, @Query() query: ListStatusPagesDto): Promise<Page<StatusPageDto>> {
    return this.pages.list(team, query);
  }

  /** Creates a status page. Unless `published` is false, people see it at `publicUrl` at once. */
  @Post()
  @RequireScope('write')
  @ApiBody({
    type: CreateStatusPageDto,
    examples: {
      monitors: { value: { name: 'Example status', slug: 'example', monitorIds: ['key:checkout-api'] } },
      components: {
        value: {
          ...{ name: 'Example status', slug: 'example', historyDays: 90 },
          components: [{ monitorId: 'key:checkout-api', name: 'Checkout', group: 'Payments' }],
        },
      },
    },
  })
  @ApiCreatedResponse({
    type: StatusPageDto,
    headers: { Location: { description: 'The address of the page.', schema: { type: 'string' } } },
  })
  @ApiProblems(...BODY_PROBLEMS, 'key_taken', 'slug_taken')
  async create(
    @CurrentTeam() team: TeamId,
    @Body() body: unknown,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StatusPageDto> {
    const page = await this.pages.create(team, body);
    response.setHeader('Location', `/v1/status-pages/${page.id}`);
    return page;
  }

  /** Gets a status page by id or `key:<key>`. */
  @Get(':id')
  @RequireScope('read')
  @StatusPageId()
  @ApiOkResponse({ type: StatusPageDto })
  @ApiProblems('not_found')
  get(@CurrentTeam() team: TeamId, @Param('id') id: string): Promise<StatusPageDto> {
    return this.pages.get(team, id);
  }

  /** Changes a status page by JSON merge patch (RFC 7396). Components sent again keep their id. */
  @Patch(':id')
  @RequireScope('write')
  @StatusPageId()
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiBody({
    type: UpdateStatusPageDto,
    examples: { texts: { value: { name: 'Example status', description: 'All that our customers use.' } } },
  })
  @ApiOkResponse({ type: StatusPageDto })
  @ApiProblems(...BODY_PROBLEMS, 'not_found', 'key_taken', 'slug_taken', 'conflict')
  update(@CurrentTeam() team: TeamId, @Param('id') id: string, @Body() body: unknown): Promise<StatusPageDto> {
    return this.pages.update(team, id, body);
  }

  /** Deletes a status page; its monitors stay. */
  @Delete(':id')
  @HttpCode(204)
  @RequireScope('write')
  @StatusPageId()
  @ApiNoContentResponse()
  @ApiProblems('not_found')
  remove(@CurrentTeam() team: TeamId, @Param('id') id: string): Promise<void> {
    return this.pages.remove(team, id);
  }
}
