import { Injectable } from '@nestjs/common';
import { randomInt } from 'node:crypto';
import { bareOutcome, type CheckError, judge } from '../../domain/check-result.js';
import { DEFAULT_LOCATION } from '../../domain/location.js';
import { findsPattern } from '../../domain/text-pattern.js';
import { CheckerFault } from '../../probes/evaluation.js';
import { EvaluationShares } from '../../probes/thread/evaluation-shares.js';
import { ResultIntakeService } from '../checker/result-intake.service.js';
import { SlotClockService } from '../checker/slot-clock.service.js';
import { type HeartbeatTarget, type PingReport } from '../monitors/heartbeat/ping.types.js';

/** Reports have keys of their own: below those of requested checks, which come from a sequence. */
const HIGHEST_ATTEMPT = -(2 ** 30);
/**
 * The thread that searches also answers requests, so even short searches are charged. A usual one takes a fraction of a
 * millisecond, the slowest a tenth of a second.
 */
const SEARCHES = { freeMs: 1, share: 0.05 };

/** Accepts reports of jobs. */
@Injectable()
export class PingsService {
  /** Distinguishes reports of the same millisecond, also from those that other processes accept. */
  private count = randomInt(2 ** 30);
  private readonly statuses = new Map<number, number>();
  private readonly searches = new EvaluationShares(SEARCHES);

  constructor(
    private readonly intake: ResultIntakeService,
    private readonly clock: SlotClockService,
  ) {}

  /** Number of responses since the start, by status. */
  get answered(): ReadonlyMap<number, number> {
    return this.statuses;
  }

  noteAnswer(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }

  /** Stores a report. Resolves once it is durable, in the database or on disk; rejects if it is not. */
  async accept(target: HeartbeatTarget, given: PingReport): Promise<void> {
    const { monitorId, teamId, revision, failureThreshold, recoveryThreshold } = target;
    const receivedAt = this.clock.now();
    const matches = given.kind === 'success' && this.isFailure(target, given.body);
    const ping: PingReport = matches ? { ...given, kind: 'fail' } : given;
    const error = ping.kind === 'fail' ? errorOf(ping, matches) : null;
    const outcome = bareOutcome(error, ping.durationMs);
    await this.intake.hear([
      {
        monitorId,
        teamId,
        scheduledAt: receivedAt,
        location: DEFAULT_LOCATION,
        attempt: this.nextAttempt(),
        trigger: 'heartbeat',
        revision,
        intervalMs: 0,
        thresholds: { failureThreshold, recoveryThreshold },
        epoch: 0,
        checkedAt: receivedAt,
        status: judge(outcome, null),
        outcome,
        type: 'heartbeat',
        ping,
      },
    ]);
  }

  /**
   * Returns whether the pattern for failures was found. If the search takes longer than the team's share allows, the
   * job's own word counts: refusing the report would make the job appear missing, and a failure would be a guess.
   */
  private isFailure({ teamId, failWhenBodyMatches: pattern }: HeartbeatTarget, body: string | null): boolean {
    if (pattern === null || body === null) return false;
    let found = false;
    try {
      return this.searches.run(teamId, () => (found = findsPattern(pattern, body))) && found;
    } catch (error) {
      if (error instanceof CheckerFault) return false;
      throw error;
    }
  }

  private nextAttempt(): number {
    this.count = (this.count + 1) % 2 ** 30;
    return HIGHEST_ATTEMPT - this.count;
  }
}

function errorOf({ exitStatus }: PingReport, matches: boolean): CheckError {
  if (matches) return { code: 'run_failed', message: 'The report contains a match of the pattern for failures.' };
  const message = exitStatus === null ? 'The job reported a failure.' : `The job exited with status ${exitStatus}.`;
  return { code: 'run_failed', message };
}
