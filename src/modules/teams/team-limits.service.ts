import { Injectable } from '@nestjs/common';
import { type EntityTarget, type FindOptionsWhere, type ObjectLiteral } from 'typeorm';
import { AppConfig } from '../../config/app-config.js';
import { managerOf, type Tx } from '../../database/tx.js';
import { type TeamId } from '../../http/auth/principal.js';
import { ProblemException } from '../../http/problems/problem.js';
import { TeamsService } from './teams.service.js';

/** What there is a limit on, and how it is called in the plural. */
const NOUNS = {
  MAX_MONITORS_PER_TEAM: 'monitors',
  MAX_STATUS_PAGES_PER_TEAM: 'status pages',
  MAX_MAINTENANCE_WINDOWS_PER_TEAM: 'maintenance windows that are not over',
  MAX_OPEN_INCIDENTS_PER_TEAM: 'open manual incidents',
  MAX_EXCLUSIONS_PER_TEAM: 'exclusions',
  MAX_API_KEYS_PER_TEAM: 'API keys',
  MAX_LIVE_PAGES_PER_TEAM: 'pages that are kept up to date',
} as const;

export type TeamLimit = keyof typeof NOUNS;

/** More than can be made at the same time by those who do not wait for each other. */
const CLOSE = 500;

/** How much one team may have: the operator decides, so that no team takes the room of the others. */
@Injectable()
export class TeamLimits {
  private readonly hits = new Map(Object.keys(NOUNS).map((limit) => [limit as TeamLimit, 0]));

  constructor(
    private readonly config: AppConfig,
    private readonly teams: TeamsService,
  ) {}

  /** How often each was in the way, since the start. */
  get reached(): ReadonlyMap<TeamLimit, number> {
    return this.hits;
  }

  /**
   * For a transaction that is about to insert one more of these rows of a team. Never lets a team have more than it may,
   * however many ask at the same time. @throws 422 `limit_reached`
   */
  async assertRoom<T extends ObjectLiteral>(
    tx: Tx,
    teamId: TeamId,
    limit: TeamLimit,
    entity: EntityTarget<T>,
    rows: FindOptionsWhere<T> | FindOptionsWhere<T>[],
  ): Promise<void> {
    const most = this.config.get(limit);
    const count = (): Promise<number> => managerOf(tx).countBy(entity, rows);
    if ((await count()) < most - CLOSE) return;
    // Whoever else makes one now waits here, and then counts this one, too.
    await this.teams.lock(tx, teamId);
    if ((await count()) >= most) throw this.refusal(limit);
  }

  /** What to throw where a team has as much as it may. */
  refusal(limit: TeamLimit): ProblemException {
    this.hits.set(limit, this.hits.get(limit)! + 1);
    const detail = `The team has ${this.config.get(limit)} ${NOUNS[limit]}, which is as many as it may have here. Who runs this service decides (${limit}).`;
    return new ProblemException(422, 'limit_reached', detail);
  }
}
