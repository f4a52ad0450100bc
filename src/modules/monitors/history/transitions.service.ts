import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { KeysetLists, newestFirst } from '../../../http/lists/keyset-lists.js';
import { Page } from '../../../http/lists/page.js';
import { type TeamId } from '../../../http/auth/principal.js';
import { type ListTransitionsQuery, type TransitionDto } from '../dto/transition.dto.js';
import { MonitorsService } from '../monitors.service.js';
import { Transition } from './transition.entity.js';

const ORDER = newestFirst<Transition>('t', 'at', (row) => row.at);

/** Reads transitions for callers. */
@Injectable()
export class TransitionsService {
  constructor(
    @InjectRepository(Transition) private readonly transitions: Repository<Transition>,
    private readonly monitors: MonitorsService,
    private readonly lists: KeysetLists,
  ) {}

  /** Lists the transitions of a monitor, newest first. @throws 404, 400 `invalid_cursor` */
  async list(teamId: TeamId, address: string, query: ListTransitionsQuery): Promise<Page<TransitionDto>> {
    const monitor = await this.monitors.find(teamId, address);
    const given = { from: query.from, to: query.to, location: query.location };
    const page = await this.lists.page({ teamId, list: `transitions/${monitor.id}` }, query, given, {
      read: ({ from, to, location }, after, count) => {
        const rows = this.transitions.createQueryBuilder('t').where('t.monitor_id = :id', { id: monitor.id });
        if (from !== undefined) rows.andWhere('t.at >= :from', { from });
        if (to !== undefined) rows.andWhere('t.at < :to', { to });
        if (location !== undefined) rows.andWhere('t.location = :location', { location });
        return ORDER.apply(rows, after, count).getMany();
      },
      keyOf: (row) => ORDER.keyOf(row),
    });
    return new Page(page.rows.map(toDto), page.nextCursor);
  }
}

function toDto(row: Transition): TransitionDto {
  return {
    id: row.id,
    monitorId: row.monitorId,
    location: row.location,
    at: row.at.toISOString(),
    confirmedAt: row.confirmedAt.toISOString(),
    from: row.fromStatus as TransitionDto['from'],
    to: row.toStatus as TransitionDto['to'],
    errorCode: row.errorCode,
  };
}
