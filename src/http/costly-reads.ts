import { Injectable } from '@nestjs/common';
import { type TeamId } from './principal.js';
import { ProblemException } from './problem.js';

/** How many a team may have at once: others' requests come between them. */
const AT_ONCE = 2;
const MOST_WAITING = 50;

interface Share {
  running: number;
  waiting: (() => void)[];
}

/**
 * Reads that take long, such as reports: those of a team wait for each other, in the order in which they came, and hold
 * up nobody else.
 */
@Injectable()
export class CostlyReads {
  private readonly shares = new Map<TeamId, Share>();

  /** Runs one once it is its turn. @throws 429 where too many of the team wait already */
  async run<T>(teamId: TeamId, read: () => Promise<T>): Promise<T> {
    const share = this.shares.get(teamId) ?? { running: 0, waiting: [] };
    this.shares.set(teamId, share);
    if (share.running === AT_ONCE) {
      if (share.waiting.length === MOST_WAITING) throw tooMany();
      await new Promise<void>((begin) => share.waiting.push(begin));
    } else share.running += 1;
    try {
      return await read();
    } finally {
      const next = share.waiting.shift();
      if (next) next();
      else if (--share.running === 0) this.shares.delete(teamId);
    }
  }
}

function tooMany(): ProblemException {
  const detail = `The team reads ${AT_ONCE} reports or uptimes at the same time, and ${MOST_WAITING} more wait. Try again later.`;
  return new ProblemException(429, 'rate_limited', detail, { headers: { 'Retry-After': '1' } });
}
