import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { CurrentAuthor, CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { Keep, type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { Located } from '../../http/items/representation.js';
import { ApiProblems, BODY_PROBLEMS } from '../../http/openapi/openapi.js';
import { ApiBulkBody, ApiBulkResponses } from './bulk-monitors.openapi.js';
import { BulkMonitorsService } from './bulk-monitors.service.js';
import { type CompletedOperationDto, type OperationDto } from './dto/operation.dto.js';

@ApiTags('Monitors')
@Controller('v1/monitors/bulk')
export class BulkMonitorsController {
  constructor(private readonly bulk: BulkMonitorsService) {}

  /**
   * Applies an action to many monitors. Monitors are selected when the request arrives, and each succeeds or fails on
   * its own, with the same rules as in the operation of a single monitor. Up to 200 are processed while the request
   * waits; more continue in the background, even after a restart of the service, and each is changed once. Checks are
   * queued only as fast as they run. A `pause` ends at the same time for all monitors.
   */
  @Post()
  @HttpCode(202)
  @RequireScope('write')
  @Located('/v1/operations/{id}')
  @ApiBulkBody()
  @ApiBulkResponses()
  @ApiProblems(...BODY_PROBLEMS)
  async start(
    @CurrentTeam() team: TeamId,
    @CurrentAuthor() author: string,
    @Body() body: unknown,
    @Keep() keep: KeepAnswer,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CompletedOperationDto | OperationDto> {
    const outcome = await this.bulk.start(team, author, body, keep);
    if ('started' in outcome) return outcome.started;
    response.status(200);
    return outcome.completed;
  }
}
