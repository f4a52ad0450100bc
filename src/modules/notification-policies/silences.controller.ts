import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { CurrentAuthor, CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { Keep, type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { Located } from '../../http/items/representation.js';
import { type Page } from '../../http/lists/page.js';
import { ApiProblems, BODY_PROBLEMS, CREATED_HEADERS, PAGE_HEADERS } from '../../http/openapi/openapi.js';
import { CreateSilenceDto, ListSilencesDto, SilenceDto, SilencePageDto } from './dto/silence.dto.js';
import { SilencesService } from './silences.service.js';

const SILENCE_EXAMPLES = {
  tags: {
    summary: 'Silence all staging monitors for two hours.',
    value: { match: { tags: ['staging'] }, durationSeconds: 7_200, reason: 'Known problem, fix in progress' },
  },
  monitor: {
    summary: 'Silence one monitor for a day.',
    value: { match: { monitorIds: ['key:checkout-api'] }, durationSeconds: 86_400, reason: 'Waiting for the vendor' },
  },
};

const SilenceId = () =>
  ApiParam({
    name: 'id',
    description: 'The id of the silence.',
    schema: { type: 'string', format: 'uuid', example: '0198c9a4-d6f4-7a32-8b1c-2d3e4f506172' },
  });

@ApiTags('Silences')
@Controller('v1/silences')
export class SilencesController {
  constructor(private readonly silences: SilencesService) {}

  /** Lists the silences that have not ended, newest first. */
  @Get()
  @RequireScope('read')
  @ApiOkResponse({ type: SilencePageDto, description: 'A page of silences.', headers: PAGE_HEADERS })
  @ApiProblems('invalid_cursor')
  list(@CurrentTeam() team: TeamId, @Query() query: ListSilencesDto): Promise<Page<SilenceDto>> {
    return this.silences.list(team, query);
  }

  /**
   * Silences the alerts of monitors from now on, for known problems. No new alert is sent; checks, incidents and uptime
   * continue, and recoveries of alerts that were sent are still sent. Monitors that are down when the silence ends notify then.
   */
  @Post()
  @RequireScope('write')
  @Located('/v1/silences/{id}')
  @ApiBody({ type: CreateSilenceDto, examples: SILENCE_EXAMPLES })
  @ApiCreatedResponse({
    type: SilenceDto,
    description: 'The silence.',
    headers: { Location: CREATED_HEADERS.Location },
  })
  @ApiProblems(...BODY_PROBLEMS, 'limit_reached')
  create(
    @CurrentTeam() team: TeamId,
    @CurrentAuthor() author: string,
    @Body() body: unknown,
    @Keep() keep: KeepAnswer,
  ): Promise<SilenceDto> {
    return this.silences.create(team, author, body, keep);
  }

  /** Gets a silence that has not ended. */
  @Get(':id')
  @RequireScope('read')
  @SilenceId()
  @ApiOkResponse({ type: SilenceDto, description: 'The silence.' })
  @ApiProblems('not_found')
  get(@CurrentTeam() team: TeamId, @Param('id') id: string): Promise<SilenceDto> {
    return this.silences.get(team, id);
  }

  /** Ends a silence now. */
  @Delete(':id')
  @HttpCode(204)
  @RequireScope('write')
  @SilenceId()
  @ApiNoContentResponse({ description: 'Ended.' })
  @ApiProblems('not_found')
  remove(@CurrentTeam() team: TeamId, @Param('id') id: string): Promise<void> {
    return this.silences.remove(team, id);
  }
}
