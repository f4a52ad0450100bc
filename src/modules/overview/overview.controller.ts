import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { ApiProblems } from '../../http/openapi/openapi.js';
import { OverviewDto } from './dto/overview.dto.js';
import { OverviewService } from './overview.service.js';

@ApiTags('Reports')
@Controller('v1/overview')
export class OverviewController {
  constructor(private readonly overview: OverviewService) {}

  /**
   * Summarizes the team's monitoring. The response has the number of monitors by status, their uptime over the past day
   * and week, the uptime by tag, and the slowest and least reliable monitors of the week.
   */
  @Get()
  @RequireScope('read')
  @ApiOkResponse({ description: 'The overview.', type: OverviewDto })
  @ApiProblems()
  get(@CurrentTeam() team: TeamId): Promise<OverviewDto> {
    return this.overview.of(team);
  }
}
