import { type FuzzAnswer, type FuzzRequest } from './exchange.js';
import { type TeamName } from './marks.js';

/** A request that succeeded with an `Idempotency-Key`: its repetitions are answered likewise. */
export interface KeptAnswer {
  team: TeamName;
  key: string;
  /** Of what makes a request the same one. */
  fingerprint: string;
  request: FuzzRequest;
  answer: FuzzAnswer;
}

/** Some of them are drawn again, the others wait for a chance. */
const MAX_DRAWN = 40;

/** The answers that the service must give again, by team and key. */
export class KeptAnswers {
  private readonly answers = new Map<string, KeptAnswer>();

  find(team: TeamName, key: string): KeptAnswer | undefined {
    return this.answers.get(`${team} ${key}`);
  }

  add(kept: KeptAnswer): void {
    this.answers.set(`${kept.team} ${kept.key}`, kept);
  }

  /** The latest of a team. */
  of(team: TeamName): KeptAnswer[] {
    return [...this.answers.values()].filter((one) => one.team === team).slice(-MAX_DRAWN);
  }
}
