import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { ApiProblems, BODY_PROBLEMS } from '../../http/openapi/openapi.js';
import { CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { ApiTrialBody } from '../monitors/api-monitor.decorator.js';
import { TrialCheckDto } from './dto/check.dto.js';
import { TrialChecksService } from './trial-checks.service.js';

@ApiTags('Checks')
@Controller('v1/monitors/test')
export class TrialChecksController {
  constructor(private readonly trials: TrialChecksService) {}

  /**
   * Runs a trial check of a definition without storing anything. Responds when the check has finished. It starts once
   * fewer than ten other trial checks of the team are running, and then takes at most `timeoutMs`, plus up to 5 s if
   * another process runs it. The same address rules apply as for any check. Only the format of `parentIds` is validated,
   * because the parents may not have been created yet.
   */
  @Post()
  @HttpCode(200)
  @RequireScope('write')
  @ApiTrialBody()
  @ApiOkResponse({ type: TrialCheckDto, description: 'The result.' })
  @ApiProblems(...BODY_PROBLEMS, 'unavailable')
  run(@CurrentTeam() teamId: TeamId, @Body() body: unknown): Promise<TrialCheckDto> {
    return this.trials.run(teamId, body);
  }
}
