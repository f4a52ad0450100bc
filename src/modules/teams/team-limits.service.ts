import { Injectable } from '@nestjs/common';
import { type EntityTarget, type FindOptionsWhere, type ObjectLiteral } from 'typeorm';
import { AppConfig } from '../../config/app-config.js';
import { managerOf, type Tx } from '../../database/tx.js';
import { type TeamId } from '../../http/auth/principal.js';
import { ProblemException } from '../../http/problems/problem.js';
import { TeamsService } from './teams.service.js';

/** The settings of the limits, and the plural names of what they limit. */
const NOUNS = {
  MAX_MONITORS_PER_TEAM: 'monitors',
  MAX_STATUS_PAGES_PER_TEAM: 'status pages',
  MAX_SUBSCRIBERS_PER_TEAM: 'status page subscribers',
  MAX_MAINTENANCE_WINDOWS_PER_TEAM: 'maintenance windows that are not over',
  MAX_NOTIFICATION_CHANNELS_PER_TEAM: 'notification channels',
  MAX_NOTIFICATION_POLICIES_PER_TEAM: 'notification policies',
  MAX_SILENCES_PER_TEAM: 'silences that have not ended',
  MAX_OPEN_INCIDENTS_PER_TEAM: 'open manual incidents',
  MAX_EXCLUSIONS_PER_TEAM: 'exclusions',
  MAX_API_KEYS_PER_TEAM: 'API keys',
  MAX_PING_KEYS_PER_TEAM: 'ping keys',
  MAX_LIVE_PAGES_PER_TEAM: 'open pages with live updates',
  MAX_EVENT_STREAMS_PER_TEAM: 'open event streams',
} as const;

export type TeamLimit = keyof typeof NOUNS;

/** More rows than concurrent transactions that insert one each can insert without waiting for each other. */
const CLOSE = 500;

/** Enforces the operator's limits per team, so that no team takes up the capacity of the others. */
@Injectable()
export class TeamLimits {
  private readonly hits = new Map(Object.keys(NOUNS).map((limit) => [limit as TeamLimit, 0]));

  constructor(
    private readonly config: AppConfig,
    private readonly teams: TeamsService,
  ) {}

  /** Number of refusals by each limit since the start. */
  get reached(): ReadonlyMap<TeamLimit, number> {
    return this.hits;
  }

  /**
   * Asserts that a team may have `more` of these rows, for a transaction that is about to insert them. The limit holds
   * for any number of concurrent requests; only single rows that are inserted during an insert of many may exceed it.
   * @throws 422 `limit_reached`
   */
  async assertRoom<T extends ObjectLiteral>(
    tx: Tx,
    teamId: TeamId,
    limit: TeamLimit,
    entity: EntityTarget<T>,
    rows: FindOptionsWhere<T> | FindOptionsWhere<T>[],
    more = 1,
  ): Promise<void> {
    const most = this.config.get(limit);
    const count = (): Promise<number> => managerOf(tx).countBy(entity, rows);
    if (more === 0 || (more === 1 && (await count()) < most - CLOSE)) return;
    // Concurrent creates wait here, and then count these rows, too.
    await this.teams.lock(tx, teamId);
    if ((await count()) + more > most) throw this.refusal(limit);
  }

  /** Counts a refusal, and returns the problem to throw if a team has reached a limit. */
  refusal(limit: TeamLimit): ProblemException {
    this.hits.set(limit, this.hits.get(limit)! + 1);
    const detail = `The team can have at most ${this.config.get(limit)} ${NOUNS[limit]}. Remove some, or ask the operator of this service to raise ${limit}.`;
    return new ProblemException(422, 'limit_reached', detail);
  }
}
