import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CursorCodec } from '../../../http/lists/cursor.js';
import { type Page, pageOf } from '../../../http/lists/page.js';
import { type TeamId } from '../../../http/auth/principal.js';
import { type ListTransitionsQuery, type TransitionDto } from '../dto/transition.dto.js';
import { MonitorsService } from '../monitors.service.js';
import { Transition } from './transition.entity.js';

/** Reads transitions for callers. */
@Injectable()
export class TransitionsService {
  constructor(
    @InjectRepository(Transition) private readonly transitions: Repository<Transition>,
    private readonly monitors: MonitorsService,
    private readonly cursors: CursorCodec,
  ) {}

  /** @throws 404, 400 `invalid_cursor` */
  async list(teamId: TeamId, address: string, query: ListTransitionsQuery): Promise<Page<TransitionDto>> {
    const monitor = await this.monitors.find(teamId, address);
    const scope = { teamId, list: `transitions/${monitor.id}` };
    const given: { from?: string; to?: string } = { from: query.from, to: query.to };
    const cursor = query.cursor === undefined ? null : this.cursors.open(scope, query.cursor, given);
    const { from, to } = cursor?.params ?? given;
    const rows = this.transitions
      .createQueryBuilder('t')
      .where('t.monitor_id = :id', { id: monitor.id })
      .orderBy('t.at', 'DESC')
      .addOrderBy('t.id', 'DESC')
      .limit(query.limit + 1);
    if (from !== undefined) rows.andWhere('t.at >= :from', { from });
    if (to !== undefined) rows.andWhere('t.at < :to', { to });
    if (cursor) {
      const [at, id] = cursor.after;
      rows.andWhere('(t.at, t.id) < (:at::timestamptz, :last::uuid)', { at, last: id });
    }
    const dtos = (await rows.getMany()).map(toDto);
    return pageOf(dtos, query.limit, (last) =>
      this.cursors.seal(scope, { params: { from, to }, after: [last.at, last.id] }),
    );
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
