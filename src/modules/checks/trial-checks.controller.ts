import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { ApiProblems, BODY_PROBLEMS } from '../../http/openapi/openapi.js';
import { CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { ApiMonitorBody } from '../monitors/api-monitor.decorator.js';
import { TrialCheckDto } from './dto/check.dto.js';
import { TrialChecksService } from './trial-checks.service.js';

@ApiTags('Checks')
@Controller('v1/monitors/test')
export class TrialChecksController {
  constructor(private readonly trials: TrialChecksService) {}

  /**
   * Runs the check of a definition once, without storing anything: to try it before it is created. Answers when the
   * check has ended, at most `timeoutMs` later, under the same address rules as any check. Parents are judged in their
   * form alone: they may be yet to be created.
   */
  @Post()
  @HttpCode(200)
  @RequireScope('write')
  @ApiMonitorBody()
  @ApiOkResponse({ type: TrialCheckDto, description: 'The result.' })
  @ApiProblems(...BODY_PROBLEMS)
  run(@CurrentTeam() teamId: TeamId, @Body() body: unknown): Promise<TrialCheckDto> {
    return this.trials.run(teamId, body);
  }
}
