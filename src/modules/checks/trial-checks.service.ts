import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { judge, type ProbeOutcome } from '../../domain/check-result.js';
import { type TeamId } from '../../http/auth/principal.js';
import { TeamShares } from '../../http/throttle/team-shares.js';
import { ourFault } from '../../probes/run-check.js';
import { type DelayMemory } from '../../probes/thread/loop-delay.js';
import { ProbeThread, type ThreadJob } from '../../probes/thread/probe-thread.js';
import { MonitorRulesService } from '../monitors/definition/monitor-rules.service.js';
import { toTrialCheckDto } from './check.mapper.js';
import { type TrialCheckDto } from './dto/check.dto.js';
import { EgressService } from './egress.service.js';

type Judged = ReturnType<MonitorRulesService['judge']>;

interface Trial extends ThreadJob {
  fields: object;
  settle: (outcome: ProbeOutcome) => void;
}

/**
 * Runs trial checks of definitions that are not stored. A separate thread, so that they delay neither API nor schedule.
 */
@Injectable()
export class TrialChecksService implements OnModuleDestroy {
  private readonly logger = new Logger(TrialChecksService.name);
  private readonly thread: ProbeThread<Trial>;
  private trials = 0;
  /** Limits each team, so that its hanging trial checks do not block those of other teams. */
  private readonly shares = new TeamShares({ atOnce: 10, mostWaiting: 50, noun: 'trial checks' });
  private readonly waiting = new Set<Trial['settle']>();

  constructor(
    private readonly rules: MonitorRulesService,
    egress: EgressService,
  ) {
    this.thread = new ProbeThread<Trial>({
      settings: egress.settings,
      open: ({ fields }) => fields,
      onFinished: (finished) => {
        for (const { job, outcome } of finished) {
          this.waiting.delete(job.settle);
          job.settle(outcome);
        }
      },
      onFault: (error) => this.logger.error(error.message, error),
      slotNow: () => Date.now(),
    });
  }

  /** The event loop delays of the thread that runs trial checks. */
  get delays(): DelayMemory {
    return this.thread.delays;
  }

  /** Validates a definition like a create, and checks it once. @throws 422, 429 if too many of the team are waiting */
  async run(teamId: TeamId, body: unknown): Promise<TrialCheckDto> {
    return await this.check(teamId, this.rules.judge(body));
  }

  /** Like `run`, for a monitor after a merge patch, with its stored secrets. @throws 404, 422, 429 */
  async runUpdate(teamId: TeamId, address: string, body: unknown): Promise<TrialCheckDto> {
    return this.check(teamId, await this.rules.judgeUpdate(teamId, address, body));
  }

  /** Settles pending trial checks with an error of the service. */
  async onModuleDestroy(): Promise<void> {
    for (const settle of this.waiting) settle(ourFault('The service was stopped before the check finished.'));
    await this.thread.stop();
  }

  private check(teamId: TeamId, definition: Judged): Promise<TrialCheckDto> {
    return this.shares.run(teamId, () => this.checkNow(teamId, definition));
  }

  private async checkNow(teamId: TeamId, definition: Judged): Promise<TrialCheckDto> {
    const { type, fields, timeoutMs, degradedAfterMs, locations } = definition;
    const checkedAt = new Date();
    this.trials += 1;
    // Each trial check of a team has a new revision, so that the thread retains only the last definition.
    const plan = { monitorId: `trial of ${teamId}`, teamId, revision: this.trials, type, timeoutMs };
    const outcome = await new Promise<ProbeOutcome>((settle) => {
      this.waiting.add(settle);
      this.thread.run([{ plan, fields, settle }]);
    });
    return toTrialCheckDto(outcome, judge(outcome, degradedAfterMs), checkedAt, locations[0]!);
  }
}
