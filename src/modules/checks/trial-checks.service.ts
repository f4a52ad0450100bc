import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { judge, type ProbeOutcome } from '../../domain/check-result.js';
import { type TeamId } from '../../http/auth/principal.js';
import { TeamShares } from '../../http/throttle/team-shares.js';
import { ourFault } from '../../probes/run-check.js';
import { type DelayMemory } from '../../probes/thread/loop-delay.js';
import { ProbeThread, type ThreadJob } from '../../probes/thread/probe-thread.js';
import { MonitorWritesService } from '../monitors/definition/monitor-writes.service.js';
import { toTrialCheckDto } from './check.mapper.js';
import { type TrialCheckDto } from './dto/check.dto.js';
import { EgressService } from './egress.service.js';

type Judged = ReturnType<MonitorWritesService['judge']>;

interface Trial extends ThreadJob {
  fields: object;
  settle: (outcome: ProbeOutcome) => void;
}

/** Checks of definitions that are not stored, on a thread of their own: they hold up neither the API nor the schedule. */
@Injectable()
export class TrialChecksService implements OnModuleDestroy {
  private readonly logger = new Logger(TrialChecksService.name);
  private readonly thread: ProbeThread<Trial>;
  private trials = 0;
  /** Those of a team that hang leave the thread to the others. */
  private readonly shares = new TeamShares({ atOnce: 10, mostWaiting: 50, noun: 'trial checks' });
  private readonly waiting = new Set<Trial['settle']>();

  constructor(
    private readonly monitors: MonitorWritesService,
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

  /** How late the event loop of their thread is. */
  get delays(): DelayMemory {
    return this.thread.delays;
  }

  /** Judges a definition as a create would, and runs its check once. @throws 422, 429 where too many of the team wait */
  async run(teamId: TeamId, body: unknown): Promise<TrialCheckDto> {
    return await this.check(teamId, this.monitors.judge(body));
  }

  /** Likewise a monitor as a change would make it, with the secrets that it has. @throws 404, 422 */
  async runUpdate(teamId: TeamId, address: string, body: unknown): Promise<TrialCheckDto> {
    return this.check(teamId, await this.monitors.judgeUpdate(teamId, address, body));
  }

  /** Those who wait learn that their check could not be run. */
  async onModuleDestroy(): Promise<void> {
    for (const settle of this.waiting) settle(ourFault('The service was stopped before the check had ended.'));
    await this.thread.stop();
  }

  private check(teamId: TeamId, definition: Judged): Promise<TrialCheckDto> {
    return this.shares.run(teamId, () => this.checkNow(teamId, definition));
  }

  private async checkNow(teamId: TeamId, definition: Judged): Promise<TrialCheckDto> {
    const { type, fields, timeoutMs, degradedAfterMs, locations } = definition;
    const checkedAt = new Date();
    this.trials += 1;
    // Each trial of a team counts as a new revision, so that the thread keeps no more than the last one.
    const plan = { monitorId: `trial of ${teamId}`, teamId, revision: this.trials, type, timeoutMs };
    const outcome = await new Promise<ProbeOutcome>((settle) => {
      this.waiting.add(settle);
      this.thread.run([{ plan, fields, settle }]);
    });
    return toTrialCheckDto(outcome, judge(outcome, degradedAfterMs), checkedAt, locations[0]!);
  }
}
