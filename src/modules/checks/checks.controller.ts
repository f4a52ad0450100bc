import { Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { Keep, type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { ApiProblems, BODY_PROBLEMS, PAGE_HEADERS } from '../../http/openapi/openapi.js';
import { type Page } from '../../http/lists/page.js';
import { CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { RawBody } from '../../http/body/raw-body.decorator.js';
import { Located } from '../../http/items/representation.js';
import { ApiMonitorId } from '../monitors/api-monitor.decorator.js';
import { CheckResultsService } from './check-results.service.js';
import { CheckDto, CheckPageDto, ListChecksQuery, RequestCheckQuery, RequestedCheckDto } from './dto/check.dto.js';

@ApiTags('Checks')
@ApiMonitorId()
@Controller('v1/monitors/:id/checks')
export class ChecksController {
  constructor(private readonly results: CheckResultsService) {}

  /** Lists the check results of a monitor, newest first. */
  @Get()
  @RequireScope('read')
  @ApiOkResponse({ type: CheckPageDto, description: 'A page of checks.', headers: PAGE_HEADERS })
  @ApiProblems('invalid_cursor', 'not_found')
  list(@CurrentTeam() team: TeamId, @Param('id') id: string, @Query() query: ListChecksQuery): Promise<Page<CheckDto>> {
    return this.results.list(team, id, query);
  }

  /** Gets a check result. */
  @Get(':checkId')
  @RequireScope('read')
  @ApiParam({
    name: 'checkId',
    description: 'The id of the check, from a list of checks or from the response to a requested check.',
    schema: { type: 'string', example: 'bWZ1c2o0aTAuMC5kZWZhdWx0' },
  })
  @ApiOkResponse({ type: CheckDto, description: 'The check.' })
  @ApiProblems('not_found')
  get(@CurrentTeam() team: TeamId, @Param('id') id: string, @Param('checkId') checkId: string): Promise<CheckDto> {
    return this.results.get(team, id, checkId);
  }

  /**
   * Checks a monitor now. For a paused monitor, the result is recorded but does not affect its state. An accepted
   * request survives a crash of the service: the check may then run twice, but is recorded once. A heartbeat monitor
   * cannot be checked (409), nor can any monitor from a location that is disabled or has no worker (503).
   */
  @Post()
  @HttpCode(202)
  @RequireScope('write')
  @Located('/v1/monitors/{monitorId}/checks/{id}')
  @ApiOkResponse({ type: RequestedCheckDto, description: 'The finished check, with `wait=true`.' })
  @ApiAcceptedResponse({
    type: RequestedCheckDto,
    description: 'The check was requested. Its result will be available at `Location`.',
    headers: { Location: { description: 'URL of the result.', schema: { type: 'string' } } },
  })
  @ApiProblems(...BODY_PROBLEMS, 'not_found', 'conflict', 'unavailable')
  async request(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Query() query: RequestCheckQuery,
    @RawBody() body: unknown,
    @Keep() keep: KeepAnswer,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RequestedCheckDto> {
    const outcome = await this.results.request(team, id, query, body, keep);
    if ('promised' in outcome) return outcome.promised;
    response.status(200);
    return outcome.result;
  }
}
