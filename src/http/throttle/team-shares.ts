import { type TeamId } from '../auth/principal.js';
import { ProblemException } from '../problems/problem.js';

/** How much work of a kind a team may run at once, and how much more may wait. */
export interface ShareLimits {
  atOnce: number;
  mostWaiting: number;
  /** The plural noun for the work, for error messages. */
  noun: string;
}

interface Share {
  running: number;
  waiting: (() => void)[];
}

/** Limits concurrent work per team. Work waits, in the order of arrival, only for work of the same team. */
export class TeamShares {
  private readonly shares = new Map<TeamId, Share>();

  constructor(private readonly limits: ShareLimits) {}

  /** Runs the work when it is its turn. @throws 429 if too much work of the team is waiting */
  async run<T>(teamId: TeamId, work: () => Promise<T>): Promise<T> {
    const share = this.shares.get(teamId) ?? { running: 0, waiting: [] };
    this.shares.set(teamId, share);
    if (share.running === this.limits.atOnce) {
      if (share.waiting.length === this.limits.mostWaiting) throw this.tooMany();
      await new Promise<void>((begin) => share.waiting.push(begin));
    } else share.running += 1;
    try {
      return await work();
    } finally {
      const next = share.waiting.shift();
      if (next) next();
      else if (--share.running === 0) this.shares.delete(teamId);
    }
  }

  private tooMany(): ProblemException {
    const { atOnce, mostWaiting, noun } = this.limits;
    const detail = `The team has ${atOnce} ${noun} in progress and ${mostWaiting} waiting. Try again later.`;
    return new ProblemException(429, 'rate_limited', detail, { headers: { 'Retry-After': '1' } });
  }
}
