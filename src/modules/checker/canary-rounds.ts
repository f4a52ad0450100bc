import { setTimeout as delay } from 'node:timers/promises';
import { type CanaryReading } from '../../domain/network-verdict.js';
import { type Canary } from './canary.js';

/** Time between the starts of two rounds. Together with the timeout of a canary, it limits how long a result waits. */
const PACE_MS = 500;
/** A round without any answer also counts for checks that finish within this time after it. */
const FAILURE_HOLDS_MS = 1_000;

/** One simultaneous probe of all canaries. */
interface Round {
  startedAt: number;
  endedAt: number;
  /** Resolves to true as soon as one of them answers, and to false once all have failed. */
  answered: Promise<boolean>;
}

/** Probes the canaries on behalf of waiting checks: one round serves all of them, with at most two rounds a second. */
export class CanaryRounds {
  private round: Round | null = null;
  private next: { since: number; begun: Promise<void> } | null = null;
  private turn = 0;

  constructor(private readonly canaries: readonly Canary[]) {}

  get readings(): readonly CanaryReading[] {
    return this.canaries.map(({ reading }) => reading);
  }

  /** Starts a round. Failures count from `since` on. */
  begin(since: number): void {
    const asked = this.canaries.map((canary) => canary.ask(since));
    const round: Round = { startedAt: performance.now(), endedAt: Infinity, answered: Promise.resolve(false) };
    round.answered = Promise.any(asked.map(async (answer) => (await answer) || Promise.reject(new Error('silent'))))
      .catch(() => false)
      .finally(() => (round.endedAt = performance.now()));
    this.round = round;
  }

  /** Probes the next canary in turn. */
  async askOne(): Promise<void> {
    await this.canaries[this.turn++ % this.canaries.length]!.ask(performance.now());
  }

  /**
   * Returns whether a canary answered a probe that was sent at or after `time`: an answer to an earlier probe proves
   * nothing about a check that failed later. Never rejects.
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
