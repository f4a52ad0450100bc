import { type TeamId } from '../auth/principal.js';
import { ProblemException } from '../problems/problem.js';

/** How much of some work a team may do at once, and how much more of it may wait. */
export interface ShareLimits {
  atOnce: number;
  mostWaiting: number;
  /** In the plural, for who is refused. */
  noun: string;
}

interface Share {
  running: number;
  waiting: (() => void)[];
}

/** Work of a team waits for the same team's alone, in the order in which it came, and holds up nobody else. */
export class TeamShares {
  private readonly shares = new Map<TeamId, Share>();

  constructor(private readonly limits: ShareLimits) {}

  /** Does it once it is its turn. @throws 429 where too much of the team waits already */
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
    const detail = `${atOnce} ${noun} of the team are under way, and ${mostWaiting} more wait. Try again later.`;
    return new ProblemException(429, 'rate_limited', detail, { headers: { 'Retry-After': '1' } });
  }
}
