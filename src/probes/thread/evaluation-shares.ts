import { LRUCache } from 'lru-cache';
import { CheckerFault, EVALUATION_MS, evaluateWithin, HELD_UP } from '../evaluation.js';
import { threadTimeMs } from '../time-limit.js';

/** How much of a thread's time the evaluations of a team may use. */
export interface ShareLimits {
  /** Evaluations up to this time are not charged to the team. */
  freeMs: number;
  /** Share of the thread's time that the longer evaluations of a team may use. */
  share: number;
}

/** For a thread that only runs checks, most of whose evaluations take a hundredth of the free time. */
const OF_CHECKS: ShareLimits = { freeMs: 25, share: 0.2 };
/** Maximum unused processor time that a team accumulates. */
const BURST_MS = 1_000;
const LEAST_MS = 50;
const MAX_TEAMS = 10_000;

interface Account {
  leftMs: number;
  at: number;
}

/** Limits the long evaluations of each team to a share, because they delay everything else on the thread. */
export class EvaluationShares {
  private readonly accounts = new LRUCache<string, Account>({ max: MAX_TEAMS });

  constructor(private readonly limits = OF_CHECKS) {}

  /** Runs an evaluation as specified by `Evaluate`. */
  run(team: string, work: () => void): boolean {
    const leftMs = this.left(team);
    if (leftMs < LEAST_MS) throw shareUsedUp();
    const limitMs = Math.min(EVALUATION_MS, leftMs);
    const before = threadTimeMs();
    try {
      const ending = evaluateWithin(limitMs, work);
      if (ending === 'held up') throw new CheckerFault(HELD_UP);
      if (ending === 'spent' && limitMs < EVALUATION_MS) throw shareUsedUp();
      return ending === 'done';
    } finally {
      const tookMs = threadTimeMs() - before;
      if (tookMs > this.limits.freeMs) this.note(team, leftMs - tookMs);
    }
  }

  private left(team: string): number {
    const account = this.accounts.get(team);
    if (!account) return BURST_MS;
    return Math.min(BURST_MS, account.leftMs + this.limits.share * (performance.now() - account.at));
  }

  private note(team: string, leftMs: number): void {
    this.accounts.set(team, { leftMs, at: performance.now() });
  }
}

function shareUsedUp(): CheckerFault {
  return new CheckerFault(
    'The assertions were not evaluated, because the assertions of this team use more than its share of CPU time. Simplify them.',
  );
}
