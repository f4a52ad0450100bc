import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { type ProbeOutcome } from '../../domain/check-result.js';
import { ourFault } from '../../probes/run-check.js';
import { type DelayMemory } from '../../probes/thread/loop-delay.js';
import { ProbeThread, type ThreadJob } from '../../probes/thread/probe-thread.js';
import { EgressService } from './egress.service.js';
import { type Trial } from './trial-queue.js';

interface RunningTrial extends ThreadJob {
  fields: object;
  settle: (outcome: ProbeOutcome) => void;
}

/** Runs trial checks in this process, on a separate thread, so that they delay neither the API nor the schedule. */
@Injectable()
export class TrialRunnerService implements OnModuleDestroy {
  private readonly logger = new Logger(TrialRunnerService.name);
  private readonly thread: ProbeThread<RunningTrial>;
  private trials = 0;
  private readonly waiting = new Set<RunningTrial['settle']>();

  constructor(egress: EgressService) {
    this.thread = new ProbeThread<RunningTrial>({
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

  /** Checks once. Never rejects: faults of the service are outcomes. */
  run({ teamId, type, fields, timeoutMs }: Trial): Promise<ProbeOutcome> {
    this.trials += 1;
    // Each trial check of a team has a new revision, so that the thread retains only the last definition.
    const plan = { monitorId: `trial of ${teamId}`, teamId, revision: this.trials, type, timeoutMs };
    return new Promise<ProbeOutcome>((settle) => {
      this.waiting.add(settle);
      this.thread.run([{ plan, fields, settle }]);
    });
  }

  /** Settles pending trial checks with an error of the service. */
  async onModuleDestroy(): Promise<void> {
    for (const settle of this.waiting) settle(ourFault('The service was stopped before the check finished.'));
    await this.thread.stop();
  }
}
