import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { managerOf, type Tx } from '../../database/tx.js';
import { type TeamId } from '../../http/auth/principal.js';
import { readObject, validateBody } from '../../http/body/validation.js';
import { EventLog } from '../events/event-log.service.js';
import { TeamNameDto } from './dto/team.dto.js';
import { Team } from './team.entity.js';

export interface TeamSummary {
  id: TeamId;
  name: string;
}

/** The teams of the installation. Everything else belongs to exactly one of them. */
@Injectable()
export class TeamsService {
  constructor(
    @InjectRepository(Team) private readonly teams: Repository<Team>,
    private readonly events: EventLog,
  ) {}

  /** Creates a team and returns its id. Names need not be unique. */
  async create(tx: Tx, name: string): Promise<TeamId> {
    const id = uuidv7();
    await managerOf(tx).insert(Team, { id, name });
    return id as TeamId;
  }

  /** Renames a team (`TeamNameDto`). */
  async rename(tx: Tx, teamId: TeamId, body: unknown): Promise<void> {
    const { name, ...rest } = readObject(body);
    const tidied = validateBody(TeamNameDto, { ...rest, name: typeof name === 'string' ? name.trim() : name });
    await this.lock(tx, teamId);
    const before = await managerOf(tx).findOneByOrFail(Team, { id: teamId });
    if (tidied.name === before.name) return;
    await managerOf(tx).update(Team, { id: teamId }, { name: tidied.name });
    const resource = { type: 'team', id: teamId, name: tidied.name } as const;
    const changes = [{ pointer: '/name', before: before.name, after: tidied.name }];
    await this.events.record(tx, [{ type: 'team.updated', teamId, resource, changes }]);
  }

  /** Returns the team that was created first; null if there is none yet. */
  async first(tx: Tx): Promise<TeamId | null> {
    const [team] = await managerOf(tx).find(Team, { order: { createdAt: 'ASC', id: 'ASC' }, take: 1 });
    return team ? (team.id as TeamId) : null;
  }

  /** Returns the ids of all teams that the transaction sees. */
  async ids(tx: Tx): Promise<TeamId[]> {
    const teams = await managerOf(tx).find(Team, { select: { id: true }, order: { id: 'ASC' } });
    return teams.map(({ id }) => id as TeamId);
  }

  /** Returns how many teams the transaction sees. */
  count(tx: Tx): Promise<number> {
    return managerOf(tx).count(Team);
  }

  /** Returns the team with this id, or all teams with this name; without an argument, all teams. Oldest first. */
  async find(idOrName?: string): Promise<TeamSummary[]> {
    const where = idOrName === undefined ? {} : isUuid(idOrName) ? { id: idOrName } : { name: idOrName };
    const teams = await this.teams.find({ where, order: { createdAt: 'ASC', id: 'ASC' } });
    return teams.map(({ id, name }) => ({ id: id as TeamId, name }));
  }

  /**
   * Makes other transactions that lock this team wait until this one ends: for rules that span several rows of a team.
   * Inserts of rows that refer to the team are not blocked.
   */
  async lock(tx: Tx, teamId: TeamId): Promise<void> {
    await managerOf(tx).query('SELECT 1 FROM teams WHERE id = $1 FOR NO KEY UPDATE', [teamId]);
  }
}
