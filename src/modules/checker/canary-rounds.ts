import { setTimeout as delay } from 'node:timers/promises';
import { type CanaryReading } from '../../domain/network-verdict.js';
import { type Canary } from './canary.js';

/** Between the starts of two rounds: with what a canary may take, a result that waits for one is not held for long. */
const PACE_MS = 500;
/** A round that nobody answered speaks for the checks that finish within this time after it, too. */
const FAILURE_HOLDS_MS = 1_000;

/** All canaries asked at once. */
interface Round {
  startedAt: number;
  endedAt: number;
  /** Settles as soon as one of them has answered, or none has. */
  answered: Promise<boolean>;
}

/** Asks canaries for those who wait for an answer: one round for all of them, and no more than two a second. */
export class CanaryRounds {
  private round: Round | null = null;
  private next: { since: number; begun: Promise<void> } | null = null;
  private turn = 0;

  constructor(private readonly canaries: readonly Canary[]) {}

  get readings(): readonly CanaryReading[] {
    return this.canaries.map(({ reading }) => reading);
  }

  /** Asks them all. Failures count from `since` on. */
  begin(since: number): void {
    const asked = this.canaries.map((canary) => canary.ask(since));
    const round: Round = { startedAt: performance.now(), endedAt: Infinity, answered: Promise.resolve(false) };
    round.answered = Promise.any(asked.map(async (answer) => (await answer) || Promise.reject(new Error('silent'))))
      .catch(() => false)
      .finally(() => (round.endedAt = performance.now()));
    this.round = round;
  }

  /** Asks one of them, each in its turn. */
  async askOne(): Promise<void> {
    await this.canaries[this.turn++ % this.canaries.length]!.ask(performance.now());
  }

  /**
   * Whether one of them has answered to what it was asked at or after `time`: an answer to an earlier question proves
   * nothing of a check that failed since. Never rejects.
   */
  async someAnswerAfter(time: number): Promise<boolean> {
    for (;;) {
      const { round } = this;
      if (round) {
        const answered = await round.answered;
        if (answered && round.startedAt >= time) return true;
        if (!answered && time <= round.endedAt + FAILURE_HOLDS_MS) return false;
      }
      if (round === this.round) await this.another(time);
    }
  }

  private another(since: number): Promise<void> {
    if (this.next) {
      this.next.since = Math.min(this.next.since, since);
      return this.next.begun;
    }
    const next = { since, begun: Promise.resolve() };
    this.next = next;
    const waitMs = Math.max(0, (this.round?.startedAt ?? 0) + PACE_MS - performance.now());
    next.begun = delay(waitMs).then(() => {
      this.next = null;
      this.begin(next.since);
    });
    return next.begun;
  }
}
