import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { managerOf, type Tx } from '../../database/tx.js';
import { closedAt, OWNERS_EMAIL } from '../../domain/notification-plan/facts.js';
import { lookAgainWithin } from '../../domain/notification-plan/look-again.js';
import { type NotificationPlan } from '../../domain/notification-plan/plan.js';
import { type PlannedNotification } from '../../domain/notification-plan/planned.js';
import { type AlertHistory } from './alert-history.js';
import { type AlertRef } from './alert-events.js';
import { type Notification } from './notification.entity.js';
import { NotificationTimer, type SeenMonitor } from './notification-timer.entity.js';

/** How long a notification is tried after it is due. */
export const GIVE_UP_MS = 86_400_000;

/** An alert whose plan is to be computed. */
export interface OpenAlert {
  ref: AlertRef;
  key: string;
  history: AlertHistory;
  monitors: readonly SeenMonitor[];
  recorded: readonly Notification[];
}

/** An alert with its plan. */
export interface PlannedAlert extends OpenAlert {
  plan: NotificationPlan;
  at: number;
}

/** Stores plans: notifications, and when the next plan is due. */
@Injectable()
export class PlanStore {
  /** Stores the plans of alerts that the transaction has locked. Returns whether something may be due for sending. */
  async save(tx: Tx, alerts: readonly PlannedAlert[], nowMs: number): Promise<boolean> {
    const manager = managerOf(tx);
    const changed = alerts.flatMap((alert) => {
      const existing = new Map(alert.recorded.map((one) => [one.key, one]));
      const { eventId, incidentId } = alert.history;
      return wanted(alert)
        .filter((one) => isChanged(one, existing.get(one.key)))
        .map((one) => ({
          ...{ id: uuidv7(), team_id: alert.ref.teamId, alert_key: alert.key },
          ...{ event_id: eventId, incident_id: incidentId, monitor_ids: alert.monitors.map(({ id }) => id) },
          ...snake(one, nowMs),
        }));
    });
    if (changed.length > 0) await manager.query(UPSERT, [JSON.stringify(changed), new Date(nowMs)]);
    const pending = alerts.flatMap((alert) => {
      const due = wanted(alert).filter(({ status }) => status === 'pending');
      return due.map(({ channelId }) => ({ channelId, teamId: alert.ref.teamId }));
    });
    if (pending.length > 0) {
      await manager.query(
        // Without the condition, it would wait for a transaction that updates the row, which may wait for this alert.
        `INSERT INTO notification_channel_claims (channel_id, team_id)
         SELECT DISTINCT t.id, t.team_id FROM unnest($1::uuid[], $2::uuid[]) AS t (id, team_id)
         WHERE NOT EXISTS (SELECT FROM notification_channel_claims c WHERE c.channel_id = t.id) ON CONFLICT DO NOTHING`,
        [pending.map(({ channelId }) => channelId), pending.map(({ teamId }) => teamId)],
      );
    }
    if (alerts.length > 0) await manager.upsert(NotificationTimer, alerts.map(timerOf), ['alertKey']);
    return pending.length > 0;
  }
}

/** Returns what a plan asks for. The owners are no channel of the team; its id stands for them. */
export function wanted({ ref: { teamId }, plan: { notifications } }: PlannedAlert): PlannedNotification[] {
  return notifications.map((one) => (one.channelId === OWNERS_EMAIL ? { ...one, channelId: teamId } : one));
}

function timerOf({ ref, key, history, monitors, plan: { notifications, lookAgainAt }, at }: PlannedAlert) {
  const closed = closedAt(history);
  const latest = closed === null ? at + lookAgainWithin(notifications) : Infinity;
  const dueAt = Math.min(lookAgainAt ?? Infinity, latest);
  return {
    ...{ alertKey: key, teamId: ref.teamId, subjectId: ref.subjectId, event: history.event },
    monitors: [...monitors],
    recordedAt: new Date(history.recordedAt),
    closedAt: closed === null ? null : new Date(closed),
    dueAt: Number.isFinite(dueAt) ? new Date(dueAt) : null,
    failures: 0,
    isDrill: history.isDrill,
  };
}

export function isChanged(planned: PlannedNotification, stored: Notification | undefined): boolean {
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
  // The clock that recorded the event may be ahead of this one, but what is pending is due.
  const dueAt = status === 'pending' ? Math.min(one.dueAt ?? nowMs, nowMs) : one.dueAt;
  return {
    ...{ key, kind, step, repeat, status, reason, note },
    policy_id: policyId,
    channel_id: channelId,
    collected_into: into,
    replaces_trigger: replacesTrigger,
    due_at: time(dueAt),
    next_attempt_at: status === 'pending' ? time(dueAt) : null,
    give_up_at: status === 'pending' ? time(nowMs + GIVE_UP_MS) : null,
  };
}

/**
 * Leaves alone what is settled, or is part of a message that was attempted. What was held back is tried as long as if it
 * had not been due before.
 */
const UPSERT = `
  INSERT INTO notifications AS n (id, team_id, key, alert_key, kind, event_id, incident_id, monitor_ids, policy_id, step,
    repeat, channel_id, status, reason, collected_into, replaces_trigger, note, due_at, next_attempt_at, give_up_at,
    created_at)
  SELECT t.id, t.team_id, t.key, t.alert_key, t.kind, t.event_id, t.incident_id, t.monitor_ids, t.policy_id, t.step,
    t.repeat, t.channel_id, t.status, t.reason, t.collected_into, t.replaces_trigger, t.note, t.due_at,
    t.next_attempt_at, t.give_up_at, $2
  FROM jsonb_to_recordset($1::jsonb) AS t (id uuid, team_id uuid, key text, alert_key text, kind text, event_id uuid,
    incident_id uuid, monitor_ids uuid[], policy_id uuid, step int, repeat int, channel_id uuid, status text,
    reason text, collected_into text, replaces_trigger boolean, note text, due_at timestamptz,
    next_attempt_at timestamptz, give_up_at timestamptz)
  ORDER BY t.key
  ON CONFLICT (key) DO UPDATE SET status = excluded.status, reason = excluded.reason,
    collected_into = excluded.collected_into, replaces_trigger = excluded.replaces_trigger, note = excluded.note,
    due_at = excluded.due_at, monitor_ids = excluded.monitor_ids,
    next_attempt_at = CASE WHEN excluded.status = 'pending' THEN coalesce(n.next_attempt_at, excluded.next_attempt_at) END,
    give_up_at = CASE WHEN n.next_attempt_at IS NULL THEN excluded.give_up_at ELSE coalesce(n.give_up_at, excluded.give_up_at) END
  WHERE NOT n.settled AND n.message_id IS NULL`;
