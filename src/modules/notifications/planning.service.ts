import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { managerOf, type Tx } from '../../database/tx.js';
import {
  type AlertFacts,
  type AlertMonitor,
  closedAt,
  OWNERS_EMAIL,
  type ParentFacts,
} from '../../domain/notification-plan/facts.js';
import { type NotificationPlan, plan } from '../../domain/notification-plan/plan.js';
import { alertKeyOf, type PlannedNotification } from '../../domain/notification-plan/planned.js';
import { type AlertHistory } from './alert-history.js';
import { type AlertRef, AlertStore } from './alert-store.service.js';
import { Notification } from './notification.entity.js';
import { NotificationTimer, type SeenMonitor } from './notification-timer.entity.js';
import { type Alerting } from '../notification-policies/notification-policies.service.js';

/** Open alerts are planned again at least this often, because not every fact is an event. */
const LOOK_AGAIN_MS = 60_000;
/** The same while a notification waits for a result of a check. */
const LOOK_SOON_MS = 5_000;
const GIVE_UP_MS = 86_400_000;

/** Plans the notifications of alerts and stores them. Every other service only reads or sends what is stored. */
@Injectable()
export class PlanningService {
  constructor(private readonly store: AlertStore) {}

  /**
   * Plans the alerts of a subject, which the transaction has locked, and stores the notifications and the time of the
   * next plan. Returns whether something may be due for sending.
   */
  async plan(tx: Tx, ref: AlertRef, team: Alerting, nowMs: number): Promise<boolean> {
    const manager = managerOf(tx);
    const histories = await this.store.alerts(tx, ref);
    const timers = await manager.findBy(NotificationTimer, { subjectId: ref.subjectId });
    if (histories.length === 0) {
      await manager.update(NotificationTimer, { subjectId: ref.subjectId }, { dueAt: null });
      return false;
    }
    const stored = await manager
      .createQueryBuilder(Notification, 'n')
      .where('n.alert_key = ANY(:keys)', { keys: histories.map((one) => alertKeyOf(keyPartsOf(one))) })
      .getMany();
    let isDue = false;
    for (const history of histories) {
      const key = alertKeyOf(keyPartsOf(history));
      const timer = timers.find(({ alertKey }) => alertKey === key);
      const own = stored.filter(({ alertKey }) => alertKey === key);
      const isOver = timer?.closedAt != null && timer.dueAt === null && own.every((one) => one.nextAttemptAt === null);
      const isChanged = timer?.closedAt?.getTime() !== (closedAt(history) ?? undefined);
      // Acknowledgements, ends and retractions of the latest episode only; earlier ones are not planned for ever.
      if (isOver && !isChanged && history !== histories.at(-1)) continue;
      const monitors = await this.seen(tx, ref, history, timer?.monitors ?? []);
      const alert = await this.alert(tx, ref, history, monitors);
      const at = Math.max(nowMs, history.recordedAt, closedAt(history) ?? 0, alert.retractedAt ?? 0);
      const recorded = own.map(({ kind, policyId, step, repeat, channelId, attempts, settled }) => ({
        ...{ kind, policyId, step, repeat, channelId, settled },
        attempts: attempts.map((one) => ({ at: Date.parse(one.at), outcome: one.outcome })),
      }));
      const made = plan({ alert, channels: team.channels, recorded }, team.rules, at);
      isDue = (await this.save(tx, ref, history, made, stored, monitors, at)) || isDue;
    }
    return isDue;
  }

  private async alert(
    tx: Tx,
    ref: AlertRef,
    history: AlertHistory,
    monitors: readonly SeenMonitor[],
  ): Promise<AlertFacts> {
    const { recordedAt, event, incidentId } = history;
    const isFound = event === 'down' || event === 'degraded';
    const failedSince = history.subject.startedAt === null ? recordedAt : Date.parse(history.subject.startedAt);
    const parents: ParentFacts[] = [];
    const maintained: AlertMonitor[] = [];
    // One after the other, because a transaction has one connection.
    for (const { id, type, tags } of monitors) {
      const maintenance = isFound ? await this.store.maintenance(tx, id, recordedAt) : [];
      maintained.push({ id, type, tags, maintenance });
      if (event === 'down') parents.push(...(await this.store.parents(tx, id, failedSince)));
    }
    return {
      ...keyPartsOf(history),
      event,
      recordedAt,
      monitors: maintained,
      children: event === 'down' && incidentId !== null ? await this.store.children(tx, incidentId) : [],
      end: history.end,
      retractedAt: history.retractedAt,
      acknowledgements: history.acknowledgements,
      upSpans: history.upSpans,
      silences: await this.store.silences(tx, ref.teamId, recordedAt),
      parents,
    };
  }

  /** Returns the monitors of an alert as they are, or, once they are deleted, as they were. */
  private async seen(
    tx: Tx,
    { teamId }: AlertRef,
    { monitorIds }: AlertHistory,
    before: readonly SeenMonitor[],
  ): Promise<SeenMonitor[]> {
    const now = await this.store.monitors(tx, teamId, monitorIds);
    const gone = before.filter(({ id }) => monitorIds.includes(id) && !now.some((one) => one.id === id));
    return [...now, ...gone];
  }

  private async save(
    tx: Tx,
    { teamId, subjectId }: AlertRef,
    history: AlertHistory,
    { notifications, lookAgainAt }: NotificationPlan,
    stored: readonly Notification[],
    monitors: readonly SeenMonitor[],
    nowMs: number,
  ): Promise<boolean> {
    const manager = managerOf(tx);
    const closed = closedAt(history);
    const existing = new Map(stored.map((one) => [one.key, one]));
    // The email of the owners is not a channel of the team.
    const rows = notifications.filter((one) => one.channelId !== OWNERS_EMAIL);
    const changed = rows.filter((one) => isChanged(one, existing.get(one.key)));
    if (changed.length > 0) {
      await manager.query(UPSERT, [
        teamId,
        alertKeyOf(keyPartsOf(history)),
        history.eventId,
        history.incidentId,
        monitors.map(({ id }) => id),
        JSON.stringify(changed.map((one) => ({ id: uuidv7(), ...snake(one, nowMs) }))),
        new Date(nowMs),
      ]);
    }
    const pending = rows.filter(({ status }) => status === 'pending');
    if (pending.length > 0) {
      await manager.query(
        // Without the condition, it would wait for a transaction that updates the row, which may wait for this alert.
        `INSERT INTO notification_channel_claims (channel_id, team_id)
         SELECT DISTINCT id, $2::uuid FROM unnest($1::uuid[]) AS id
         WHERE NOT EXISTS (SELECT FROM notification_channel_claims c WHERE c.channel_id = id) ON CONFLICT DO NOTHING`,
        [pending.map(({ channelId }) => channelId), teamId],
      );
    }
    const waits = rows.some(({ status, dueAt }) => status === 'held' && dueAt === null);
    const latest = closed === null ? nowMs + (waits ? LOOK_SOON_MS : LOOK_AGAIN_MS) : Infinity;
    const dueAt = Math.min(lookAgainAt ?? Infinity, latest);
    await manager.upsert(
      NotificationTimer,
      {
        alertKey: alertKeyOf(keyPartsOf(history)),
        teamId,
        subjectId,
        event: history.event,
        monitors: [...monitors],
        recordedAt: new Date(history.recordedAt),
        closedAt: closed === null ? null : new Date(closed),
        dueAt: Number.isFinite(dueAt) ? new Date(dueAt) : null,
        failures: 0,
      },
      ['alertKey'],
    );
    return pending.length > 0;
  }
}

function keyPartsOf({ subjectId, episode }: AlertHistory): { incidentId: string; episode: number } {
  return { incidentId: subjectId, episode };
}

function isChanged(planned: PlannedNotification, stored: Notification | undefined): boolean {
  if (!stored) return true;
  if (stored.settled || stored.messageId !== null) return false;
  return (
    planned.status !== stored.status ||
    planned.reason !== stored.reason ||
    planned.into !== stored.collectedInto ||
    planned.note !== stored.note ||
    planned.replacesTrigger !== stored.replacesTrigger ||
    (planned.status !== 'pending' && planned.dueAt !== (stored.dueAt?.getTime() ?? null))
  );
}

function snake(one: PlannedNotification, nowMs: number): Record<string, unknown> {
  const { key, kind, policyId, step, repeat, channelId, status, reason, into, replacesTrigger, note } = one;
  const time = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
  const dueAt = status === 'pending' ? (one.dueAt ?? nowMs) : one.dueAt;
  return {
    ...{ key, kind, step, repeat, status, reason, note },
    policy_id: policyId,
    channel_id: channelId,
    collected_into: into,
    replaces_trigger: replacesTrigger,
    due_at: time(dueAt),
    next_attempt_at: status === 'pending' ? time(dueAt) : null,
    give_up_at: status === 'pending' ? time(Math.max(dueAt ?? nowMs, nowMs) + GIVE_UP_MS) : null,
  };
}

/** Leaves alone what is settled, or is part of a message that was attempted. */
const UPSERT = `
  INSERT INTO notifications AS n (id, team_id, key, alert_key, kind, event_id, incident_id, monitor_ids, policy_id, step,
    repeat, channel_id, status, reason, collected_into, replaces_trigger, note, due_at, next_attempt_at, give_up_at,
    created_at)
  SELECT t.id, $1, t.key, $2, t.kind, $3, $4, $5, t.policy_id, t.step, t.repeat, t.channel_id, t.status, t.reason,
    t.collected_into, t.replaces_trigger, t.note, t.due_at, t.next_attempt_at, t.give_up_at, $7
  FROM jsonb_to_recordset($6::jsonb) AS t (id uuid, key text, kind text, policy_id uuid, step int, repeat int,
    channel_id uuid, status text, reason text, collected_into text, replaces_trigger boolean, note text,
    due_at timestamptz, next_attempt_at timestamptz, give_up_at timestamptz)
  ORDER BY t.key
  ON CONFLICT (key) DO UPDATE SET status = excluded.status, reason = excluded.reason,
    collected_into = excluded.collected_into, replaces_trigger = excluded.replaces_trigger, note = excluded.note,
    due_at = excluded.due_at, monitor_ids = excluded.monitor_ids,
    next_attempt_at = CASE WHEN excluded.status = 'pending' THEN coalesce(n.next_attempt_at, excluded.next_attempt_at) END,
    give_up_at = coalesce(n.give_up_at, excluded.give_up_at)
  WHERE NOT n.settled AND n.message_id IS NULL`;
