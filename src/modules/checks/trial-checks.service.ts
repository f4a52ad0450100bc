import { Injectable } from '@nestjs/common';
import { judge } from '../../domain/check-result.js';
import { type TeamId } from '../../http/auth/principal.js';
import { validationFailed } from '../../http/problems/problem.js';
import { TeamShares } from '../../http/throttle/team-shares.js';
import { awaitsReports } from '../../probes/index.js';
import { MonitorRulesService } from '../monitors/definition/monitor-rules.service.js';
import { toTrialCheckDto } from './check.mapper.js';
import { type TrialCheckDto } from './dto/check.dto.js';
import { TrialWorkersService } from './trial-workers.service.js';

type Judged = ReturnType<MonitorRulesService['judge']>;

/** Checks definitions that are not stored. */
@Injectable()
export class TrialChecksService {
  /** Limits each team, so that its hanging trial checks do not block those of other teams. */
  private readonly shares = new TeamShares({ atOnce: 10, mostWaiting: 50, noun: 'trial checks' });

  constructor(
    private readonly rules: MonitorRulesService,
    private readonly workers: TrialWorkersService,
  ) {}

  /** Validates a definition like a create, and checks it once. @throws 422, 429 if too many of the team are waiting, 503 */
  async run(teamId: TeamId, body: unknown): Promise<TrialCheckDto> {
    return await this.check(teamId, this.rules.judge(body));
  }

  /** Like `run`, for a monitor after a merge patch, with its stored secrets. @throws 404, 422, 429, 503 */
  async runUpdate(teamId: TeamId, address: string, body: unknown): Promise<TrialCheckDto> {
    return this.check(teamId, await this.rules.judgeUpdate(teamId, address, body));
  }

  private check(teamId: TeamId, definition: Judged): Promise<TrialCheckDto> {
    return this.shares.run(teamId, () => this.checkNow(teamId, definition));
  }

  private async checkNow(teamId: TeamId, definition: Judged): Promise<TrialCheckDto> {
    const { type, fields, timeoutMs, degradedAfterMs, locations } = definition;
    if (awaitsReports(type)) {
      const detail = `Monitors of type ${type} wait for reports, so they cannot be tested.`;
      throw validationFailed([{ pointer: '/type', code: 'not_applicable', detail }]);
    }
    const checkedAt = new Date();
    const outcome = await this.workers.run({ teamId, type, fields, timeoutMs, location: locations[0]! });
    return toTrialCheckDto(outcome, judge(outcome, degradedAfterMs), checkedAt, locations[0]!);
  }
}
