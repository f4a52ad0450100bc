import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { Keep, type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { ApiProblems, BODY_PROBLEMS, CREATED_HEADERS, PAGE_HEADERS } from '../../http/openapi/openapi.js';
import { type Page } from '../../http/lists/page.js';
import { CurrentAuthor, CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { Located } from '../../http/items/representation.js';
import { CreateExclusionDto, ExclusionDto, ExclusionPageDto, ListExclusionsQuery } from './dto/exclusion.dto.js';
import { ExclusionsService } from './exclusions.service.js';

const ExclusionId = () =>
  ApiParam({
    name: 'id',
    description: 'The id of the exclusion.',
    schema: { type: 'string', format: 'uuid', example: '0198c9a4-9b20-7d43-a5c2-1d2e3f405162' },
  });

@ApiTags('Exclusions')
@Controller('v1/exclusions')
export class ExclusionsController {
  constructor(private readonly exclusions: ExclusionsService) {}

  /** Lists exclusions, newest first. Use `deleted=true` to list deleted exclusions. */
  @Get()
  @RequireScope('read')
  @ApiOkResponse({ type: ExclusionPageDto, description: 'A page of exclusions.', headers: PAGE_HEADERS })
  @ApiProblems('invalid_cursor')
  list(@CurrentTeam() team: TeamId, @Query() query: ListExclusionsQuery): Promise<Page<ExclusionDto>> {
    return this.exclusions.list(team, query);
  }

  /**
   * Excludes past time from the uptime of monitors. The time counts as `excluded` in all figures, except where it was
   * paused or in maintenance. An exclusion records its author and reason, cannot be changed, and remains available
   * after it is deleted.
   */
  @Post()
  @RequireScope('write')
  @Located('/v1/exclusions/{id}')
  @ApiBody({
    type: CreateExclusionDto,
    examples: {
      monitors: {
        summary: 'Exclude half an hour for one monitor.',
        value: {
          monitorIds: ['key:checkout-api'],
          from: '2026-01-01T12:00:00.000Z',
          to: '2026-01-01T12:30:00.000Z',
          reason: 'Our own load test',
        },
      },
      tags: {
        summary: 'Exclude half an hour for all monitors that have a tag now.',
        value: {
          tags: ['payments'],
          from: '2026-01-01T12:00:00.000Z',
          to: '2026-01-01T12:30:00.000Z',
          reason: 'Outage of the data centre, which the contract exempts',
        },
      },
    },
  })
  @ApiCreatedResponse({
    type: ExclusionDto,
    description: 'The exclusion.',
    headers: { Location: CREATED_HEADERS.Location },
  })
  @ApiProblems(...BODY_PROBLEMS, 'limit_reached')
  create(
    @CurrentTeam() team: TeamId,
    @CurrentAuthor() author: string,
    @Body() body: unknown,
    @Keep() keep: KeepAnswer,
  ): Promise<ExclusionDto> {
    return this.exclusions.create(team, author, body, keep);
  }

  /** Gets an exclusion, including a deleted one. */
  @Get(':id')
  @RequireScope('read')
  @ExclusionId()
  @ApiOkResponse({ type: ExclusionDto, description: 'The exclusion.' })
  @ApiProblems('not_found')
  get(@CurrentTeam() team: TeamId, @Param('id') id: string): Promise<ExclusionDto> {
    return this.exclusions.get(team, id);
  }

  /** Deletes an exclusion. Its time counts again as if it had never been excluded. The exclusion remains available. */
  @Delete(':id')
  @HttpCode(204)
  @RequireScope('write')
  @ExclusionId()
  @ApiNoContentResponse({ description: 'Deleted.' })
  @ApiProblems('not_found')
  remove(@CurrentTeam() team: TeamId, @CurrentAuthor() author: string, @Param('id') id: string): Promise<void> {
    return this.exclusions.remove(team, author, id);
  }
}
