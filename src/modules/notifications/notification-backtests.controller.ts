import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { ApiProblems, BODY_PROBLEMS } from '../../http/openapi/openapi.js';
import { BacktestNotificationsDto, NotificationBacktestDto } from '../notification-policies/dto/backtest.dto.js';
import { NotificationBacktests } from './notification-backtests.service.js';

const EXAMPLES = {
  stored: {
    summary: 'Test a stored policy.',
    value: { policyId: 'key:production', timezone: 'Europe/Berlin' },
  },
  unsaved: {
    summary: 'Test a policy before it is created.',
    value: {
      policy: {
        name: 'Everything',
        match: { all: true },
        steps: [{ afterSeconds: 0, channelIds: ['key:slack-ops'] }],
      },
      timezone: 'Europe/Berlin',
    },
  },
};

@ApiTags('Notification policies')
@Controller('v1/notification-policies/backtest')
export class NotificationBacktestsController {
  constructor(private readonly backtests: NotificationBacktests) {}

  /**
   * Tests policies against the alerts of the last 90 days. Returns how many notifications they would have caused, by
   * channel, by hour of the day, and at night. Tests one policy, stored or not, or all enabled ones, as if they had been
   * enabled all the time, every attempt had succeeded, and everybody had acknowledged when they did. Covers the latest
   * 1,000 alerts, with the monitors as they are tagged now. Nothing is stored or sent.
   */
  @Post()
  @HttpCode(200)
  @RequireScope('read')
  @ApiBody({ type: BacktestNotificationsDto, examples: EXAMPLES })
  @ApiOkResponse({ type: NotificationBacktestDto, description: 'How many notifications there would have been.' })
  @ApiProblems(...BODY_PROBLEMS)
  test(@CurrentTeam() team: TeamId, @Body() body: unknown): Promise<NotificationBacktestDto> {
    return this.backtests.backtest(team, body);
  }
}
