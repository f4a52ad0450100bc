import { aboveFairShare, fairShare } from '../../domain/fair-share.js';
import { type CheckResult } from './check-queue.js';

/** Maximum number of results in one transaction, or in one write to the spool. */
export const BATCH = 1_000;

type Team = string | undefined;

/** Results in memory, oldest first. */
export class ResultBuffer {
  private results: CheckResult[] = [];
  /** Whether recording starts at once, because a caller waits for one of the results or a batch is complete. */
  private isUrgent = false;
  private stopGathering: () => void = () => undefined;

  get size(): number {
    return this.results.length;
  }

  /** When the oldest report arrived, which nobody else has; `Infinity` if there is none. */
  get oldestReportAt(): number {
    return oldestReport(this.results);
  }

  add(results: readonly CheckResult[]): void {
    // As arguments of one call, too many would exceed the stack.
    for (const result of results) this.results.push(result);
    this.isUrgent ||= this.size >= BATCH || results.some(({ attempt }) => attempt < 0);
    if (this.isUrgent) this.stopGathering();
  }

  /**
   * Removes and returns a batch: the oldest results of each team, in its fair share of the batch. A team with many
   * results thus does not delay those of the others.
   */
  takeBatch(): CheckResult[] {
    const batch = this.size > BATCH ? this.takeFairly() : this.results.splice(0);
    this.isUrgent = this.size >= BATCH;
    return batch;
  }

  /** Returns the teams that have more than their fair share of `total` results. */
  teamsAbove(total: number): Set<Team> {
    return aboveFairShare(this.countByTeam(), total);
  }

  /** Puts results that could not be stored back in front of all others. */
  putBack(batch: readonly CheckResult[]): void {
    this.results.unshift(...batch);
  }

  /** Removes and returns the newest results. */
  dropNewest(count: number): CheckResult[] {
    return this.results.splice(this.size - count);
  }

  /** Removes and returns the reports of jobs. */
  takeReports(): CheckResult[] {
    const [reports, rest] = [this.results.filter(({ ping }) => ping), this.results.filter(({ ping }) => !ping)];
    this.results = rest;
    return reports;
  }

  private takeFairly(): CheckResult[] {
    const share = fairShare(this.countByTeam().values(), BATCH);
    const taken = new Map<Team, number>();
    const batch: CheckResult[] = [];
    const rest: CheckResult[] = [];
    for (const result of this.results) {
      const before = taken.get(result.teamId) ?? 0;
      if (batch.length < BATCH && before < share) {
        taken.set(result.teamId, before + 1);
        batch.push(result);
      } else rest.push(result);
    }
    this.results = rest;
    return batch;
  }

  private countByTeam(): Map<Team, number> {
    const counts = new Map<Team, number>();
    for (const { teamId } of this.results) counts.set(teamId, (counts.get(teamId) ?? 0) + 1);
    return counts;
  }

  /** Waits for more results, for `ms` milliseconds at most, unless recording is urgent or `signal` aborts. */
  async gather(ms: number, signal: AbortSignal): Promise<void> {
    if (this.isUrgent || signal.aborted || ms <= 0) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end);
      this.stopGathering = end;
    });
  }
}

/** Returns the time of the oldest report among results, in epoch milliseconds; `Infinity` if there is none. */
export function oldestReport(results: readonly CheckResult[]): number {
  return results.reduce((oldest, { ping, checkedAt }) => (ping ? Math.min(oldest, checkedAt) : oldest), Infinity);
}
