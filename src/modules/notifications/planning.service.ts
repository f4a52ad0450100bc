import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { afterCommit, managerOf, type Tx } from '../../database/tx.js';
import { groupBy } from '../../domain/group-by.js';
import { closedAt, OWNERS_EMAIL } from '../../domain/notification-plan/facts.js';
import { plan } from '../../domain/notification-plan/plan.js';
import { alertKeyOf } from '../../domain/notification-plan/planned.js';
import { type TeamId } from '../../http/auth/principal.js';
import { AlertFactsService, keyPartsOf } from './alert-facts.service.js';
import { type AlertRef } from './alert-events.js';
import { AlertStore } from './alert-store.service.js';
import { NOTIFICATION_KINDS } from './dto/notification.dto.js';
import { type NotificationOutcome, NotificationOutcomesService } from './notification-outcomes.service.js';
import { Notification } from './notification.entity.js';
import { NotificationTimer } from './notification-timer.entity.js';
import { isChanged, type OpenAlert, type PlannedAlert, PlanStore, wanted } from './plan-store.service.js';
import { type Alerting } from '../notification-policies/notification-policies.service.js';

/** Plans the notifications of alerts and stores them. Every other service only reads or sends what is stored. */
@Injectable()
export class PlanningService {
  constructor(
    private readonly store: AlertStore,
    private readonly facts: AlertFactsService,
    private readonly plans: PlanStore,
    private readonly outcomes: NotificationOutcomesService,
  ) {}

  /**
   * Plans the alerts of subjects, which the transaction has locked, and stores the notifications and the times of the
   * next plans. Returns whether something may be due for sending. The number of queries does not depend on the number of
   * subjects.
   */
  async plan(tx: Tx, refs: readonly AlertRef[], teams: ReadonlyMap<TeamId, Alerting>, nowMs: number): Promise<boolean> {
    if (refs.length === 0) return false;
    const open = await this.open(tx, refs);
    if (open.length === 0) return false;
    const facts = await this.facts.of(
      tx,
      open.map(({ ref, ...one }) => ({ ...one, teamId: ref.teamId })),
    );
    const planned = open.map((one, index): PlannedAlert => {
      const { channels, rules } = teams.get(one.ref.teamId)!;
      const { recordedAt, retractedAt } = one.history;
      const at = Math.max(nowMs, recordedAt, closedAt(one.history) ?? 0, retractedAt ?? 0);
      const recorded = one.recorded.map(({ kind, policyId, step, repeat, settled, ...stored }) => ({
        ...{ kind, policyId, step, repeat, settled },
        channelId: stored.channelId === one.ref.teamId ? OWNERS_EMAIL : stored.channelId,
        attempts: stored.attempts.map(({ at, outcome }) => ({ at: Date.parse(at), outcome })),
        dueAt: stored.dueAt?.getTime() ?? null,
        channelFailedAt: stored.channelFailedAt?.getTime() ?? null,
      }));
      return { ...one, at, plan: plan({ alert: facts[index]!, channels, recorded }, rules, at) };
    });
    const reached = planned.flatMap((one) => outcomesOf(one, teams.get(one.ref.teamId)!));
    if (reached.length > 0) afterCommit(tx, () => this.outcomes.report(reached));
    return this.plans.save(tx, planned, nowMs);
  }

  /** Returns the alerts of the subjects that are not over, with what is stored about them. */
  private async open(tx: Tx, refs: readonly AlertRef[]): Promise<OpenAlert[]> {
    const manager = managerOf(tx);
    const histories = await this.store.alerts(tx, refs);
    const timers = await manager.findBy(NotificationTimer, { subjectId: In(refs.map(({ subjectId }) => subjectId)) });
    const gone = timers.filter(({ subjectId }) => !histories.has(subjectId)).map(({ alertKey }) => alertKey);
    if (gone.length > 0) await manager.update(NotificationTimer, { alertKey: In(gone) }, { dueAt: null });
    const all = refs.flatMap((ref) => {
      return (histories.get(ref.subjectId) ?? []).map((history, index, { length }) => {
        return { ref, history, key: alertKeyOf(keyPartsOf(history)), isLatest: index === length - 1 };
      });
    });
    const keys = all.map(({ key }) => key);
    const stored = await manager
      .createQueryBuilder(Notification, 'n')
      .where(`n.id IN (${RECORDED})`, { keys, kinds: OTHER_KINDS })
      .getMany();
    const storedOf = groupBy(stored, ({ alertKey }) => alertKey);
    const timerOf = new Map(timers.map((one) => [one.alertKey, one]));
    const open = all.filter(({ key, history, isLatest }) => {
      const timer = timerOf.get(key);
      const isOver =
        timer?.closedAt != null &&
        timer.dueAt === null &&
        (storedOf.get(key) ?? []).every((one) => one.nextAttemptAt === null);
      const isChanged = timer?.closedAt?.getTime() !== (closedAt(history) ?? undefined);
      // Acknowledgements, ends and retractions of the latest episode only; earlier ones are not planned for ever.
      return !isOver || isChanged || isLatest;
    });
    const monitors = await this.facts.monitors(
      tx,
      open.map(({ ref, history, key }) => ({ ...ref, history, before: timerOf.get(key)?.monitors ?? [] })),
    );
    return open.map(({ ref, history, key }, index) => {
      return { ref, history, key, monitors: monitors[index]!, recorded: storedOf.get(key) ?? [] };
    });
  }
}

const OTHER_KINDS = NOTIFICATION_KINDS.filter((kind) => kind !== 'repeat');

/**
 * The ids of what a plan must know: of the repeats, only the latest of each step and channel, because an outage of months
 * has thousands. A step has a row before its repeats do.
 */
const RECORDED = `
  SELECT id FROM notifications WHERE alert_key = ANY(:keys) AND kind = ANY(:kinds)
  UNION ALL
  SELECT latest.id FROM notifications t CROSS JOIN LATERAL (
    SELECT r.id FROM notifications r
    WHERE r.alert_key = t.alert_key AND r.kind = 'repeat' AND r.policy_id = t.policy_id AND r.step = t.step
      AND r.channel_id = t.channel_id
    ORDER BY r.repeat DESC LIMIT 1) AS latest
  WHERE t.alert_key = ANY(:keys) AND t.kind = 'trigger'`;

/** Returns the notifications that a plan newly holds back or suppresses. */
function outcomesOf(alert: PlannedAlert, { channels }: Alerting): NotificationOutcome[] {
  const before = new Map(alert.recorded.map((one) => [one.key, one]));
  return wanted(alert).flatMap((one) => {
    const known = before.get(one.key);
    if (one.status === 'pending' || known?.status === one.status || !isChanged(one, known)) return [];
    return { type: channels.find(({ id }) => id === one.channelId)?.type ?? null, status: one.status };
  });
}
