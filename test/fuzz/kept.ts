import { type FuzzAnswer, type FuzzRequest } from './exchange.js';
import { type TeamName } from './marks.js';

/** A request that succeeded with an `Idempotency-Key`: its repetitions must get the same response. */
export interface KeptAnswer {
  team: TeamName;
  key: string;
  /** The parts that make a request a repetition. */
  fingerprint: string;
  request: FuzzRequest;
  answer: FuzzAnswer;
}

/** Maximum number of the latest requests of a team that may be drawn again. */
const MAX_DRAWN = 40;

/** The responses that the service must replay, by team and key. */
export class KeptAnswers {
  private readonly answers = new Map<string, KeptAnswer>();

  find(team: TeamName, key: string): KeptAnswer | undefined {
    return this.answers.get(`${team} ${key}`);
  }

  add(kept: KeptAnswer): void {
    this.answers.set(`${kept.team} ${kept.key}`, kept);
  }

  /** Returns the latest ones of a team. */
  of(team: TeamName): KeptAnswer[] {
    return [...this.answers.values()].filter((one) => one.team === team).slice(-MAX_DRAWN);
  }
}
