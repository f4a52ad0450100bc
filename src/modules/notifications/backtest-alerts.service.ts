import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Transactions } from '../../database/tx.js';
import { type AlertFacts } from '../../domain/notification-plan/facts.js';
import { type NotifiedEvent } from '../../domain/notification-plan/policy.js';
import { type TeamId } from '../../http/auth/principal.js';
import { AlertFactsService } from './alert-facts.service.js';
import { alertKeyOf } from '../../domain/notification-plan/planned.js';
import { AlertStore } from './alert-store.service.js';
import { NotificationTimer } from './notification-timer.entity.js';

/** Alerts that are read in one transaction, so that none lasts long. */
const BATCH = 25;

/** Alerts of a team in a period, without drills, with the facts that plans were made from. */
export interface PastAlerts {
  fromMs: number;
  events: readonly NotifiedEvent[];
  /** Maximum number of alerts; the latest ones are read. */
  limit: number;
}

/** Reads past alerts, to see what other policies would have made of them. */
@Injectable()
export class BacktestAlerts {
  constructor(
    @InjectRepository(NotificationTimer) private readonly timers: Repository<NotificationTimer>,
    private readonly transactions: Transactions,
    private readonly store: AlertStore,
    private readonly facts: AlertFactsService,
  ) {}

  /** Returns how many alerts were recorded. */
  async count(teamId: TeamId, { fromMs, events }: PastAlerts): Promise<number> {
    const [row]: { count: number }[] = await this.timers.query(
      `SELECT count(*)::int AS count FROM notification_timers
       WHERE team_id = $1 AND recorded_at >= $2 AND event = ANY($3::text[]) AND NOT is_drill`,
      [teamId, new Date(fromMs), [...events]],
    );
    return row!.count;
  }

  /** Yields the facts of the alerts, in batches, the latest first. Those whose events were deleted are left out. */
  async *read(teamId: TeamId, { fromMs, events, limit }: PastAlerts): AsyncGenerator<AlertFacts[]> {
    const timers = await this.timers
      .createQueryBuilder('t')
      .where('t.team_id = :teamId AND t.recorded_at >= :from', { teamId, from: new Date(fromMs) })
      .andWhere('t.event = ANY(:events) AND NOT t.is_drill', { events: [...events] })
      .orderBy('t.recorded_at', 'DESC')
      .addOrderBy('t.alert_key')
      .limit(limit)
      .getMany();
    for (let at = 0; at < timers.length; at += BATCH) {
      yield await this.factsOf(teamId, timers.slice(at, at + BATCH));
    }
  }

  private factsOf(teamId: TeamId, timers: readonly NotificationTimer[]): Promise<AlertFacts[]> {
    return this.transactions.snapshot(async (tx) => {
      const refs = timers.map(({ subjectId }) => ({ teamId, subjectId }));
      const histories = await this.store.alerts(tx, refs);
      const past = timers.flatMap(({ alertKey, subjectId, monitors }) => {
        const own = histories.get(subjectId) ?? [];
        const history = own.find((one) => alertKeyOf({ ...one, incidentId: subjectId }) === alertKey);
        return history ? { teamId, history, before: monitors } : [];
      });
      const monitors = await this.facts.monitors(tx, past);
      return this.facts.of(
        tx,
        past.map((one, index) => ({ ...one, monitors: monitors[index]! })),
        'all',
      );
    });
  }
}
