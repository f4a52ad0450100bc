import { Injectable } from '@nestjs/common';
import { channelOf } from '../../channels/index.js';
import { type Delivery } from '../../channels/delivery.js';
import { type MessageFacts } from '../../channels/message.js';
import { AppConfig } from '../../config/app-config.js';
import { managerOf, Transactions, type Tx } from '../../database/tx.js';
import { collect, COLLECT_MS } from '../../domain/notification-plan/collect.js';
import { isProbablyCommonCause } from '../../domain/notification-plan/common-cause.js';
import { closedAt } from '../../domain/notification-plan/facts.js';
import { alertKeyOf } from '../../domain/notification-plan/planned.js';
import { type TeamId } from '../../http/auth/principal.js';
import { type Alerting, NotificationPoliciesService } from '../notification-policies/notification-policies.service.js';
import { TeamsService } from '../teams/teams.service.js';
import { AlertStore } from './alert-store.service.js';
import { ChannelClaimsService, type ChannelPause, type ClaimedChannel } from './channel-claims.service.js';
import { MAX_NAMED, messageFacts, type MessageMember } from './message-facts.js';
import { Notification, type StoredAttempt } from './notification.entity.js';
import { type SeenMonitor } from './notification-timer.entity.js';
import { PlanningService } from './planning.service.js';

/** An attempt that has been stored, and must now be made. */
export interface StartedAttempt {
  ids: string[];
  subjectIds: string[];
  /** When it was stored; identifies it among the attempts of a notification. */
  at: string;
  facts: MessageFacts;
  team: Alerting;
  isCollected: boolean;
}

/** A notification that is due, with what decides about its place. */
interface DueRecord {
  id: string;
  subject_id: string;
  alert_key: string;
  kind: Notification['kind'];
  message_id: string | null;
  due_at: Date;
  monitors: SeenMonitor[];
}

const MAX_DUE = 500;
const RETRY_MS = 60_000;
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 3_600_000;
const COMMON_CAUSE_MS = 60_000;

/** Decides what a claimed channel sends next, and stores each attempt before and after it is made. */
@Injectable()
export class AttemptsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly claims: ChannelClaimsService,
    private readonly store: AlertStore,
    private readonly planning: PlanningService,
    private readonly policies: NotificationPoliciesService,
    private readonly teams: TeamsService,
    private readonly config: AppConfig,
  ) {}

  /**
   * Stores the start of the next attempt, so that its outcome counts as unknown if the process dies, and returns it;
   * `null` if there is nothing to send now. The plan is computed again before, because what is due may have been held
   * back, replaced or withdrawn meanwhile; if nothing is left then, returns `again`.
   */
  async start(channel: ClaimedChannel, nowMs = Date.now()): Promise<StartedAttempt | 'again' | null> {
    const { teamId, channelId } = channel;
    const [team, [named]] = await Promise.all([this.policies.alerting(teamId), this.teams.find(teamId)]);
    const type = team.channels.find(({ id }) => id === channelId)?.type;
    const isForPeople = channelOf(type ?? '')?.audience === 'people';
    const pause = await this.claims.pauseOf(channel);
    if (!pause) return null;
    if (pause.failingSince !== null) await this.transactions.run((tx) => giveUp(tx, channelId, nowMs));
    // Every transaction locks alerts before it writes anything else, so that none waits for another in a circle.
    return this.transactions.run(async (tx) => {
      const chosen = choose(await this.due(tx, channelId, pause, nowMs), isForPeople, pause, nowMs);
      if (chosen.length === 0) return null;
      const subjectIds = [...new Set(chosen.map((one) => one.subject_id))];
      await this.store.lock(tx, subjectIds);
      for (const subjectId of subjectIds) await this.planning.plan(tx, { teamId, subjectId }, team, nowMs);
      const still = new Set((await this.due(tx, channelId, pause, nowMs)).map(({ id }) => id));
      const left = chosen.filter(({ id }) => still.has(id));
      if (left.length === 0) return 'again';
      if (!(await this.claims.renew(tx, channel))) return null;
      const ids = left.map(({ id }) => id);
      const facts = await this.facts(tx, teamId, ids, named?.name ?? '', nowMs);
      const at = new Date(nowMs).toISOString();
      await begin(tx, ids, left[0]!.message_id ?? (ids.length > 1 ? ids[0]! : null), at);
      return { ids, subjectIds, at, facts, team, isCollected: isForPeople };
    });
  }

  /** Stores the outcome of an attempt, and plans again, because an attempt may complete or fail a step. */
  async finish(
    channel: ClaimedChannel,
    attempt: StartedAttempt,
    delivery: Delivery,
    nowMs = Date.now(),
  ): Promise<void> {
    const { teamId } = channel;
    const retryAfterMs = delivery.status === 'failed' ? delivery.retryAfterMs : null;
    const pauseMs = Math.min(Math.max(retryAfterMs ?? RETRY_MS, MIN_RETRY_MS), MAX_RETRY_MS);
    await this.transactions.run(async (tx) => {
      await this.store.lock(tx, attempt.subjectIds);
      const rows = await managerOf(tx)
        .createQueryBuilder(Notification, 'n')
        .where('n.id = ANY(:ids)', { ids: attempt.ids })
        .getMany();
      for (const row of rows) {
        const changes = afterAttempt(row, attempt.at, delivery, nowMs, nowMs + pauseMs);
        await managerOf(tx).update(Notification, { id: row.id }, changes);
      }
      if (delivery.status === 'sent') {
        await this.claims.succeeded(tx, channel, attempt.isCollected ? nowMs + COLLECT_MS : null);
      } else {
        await this.claims.failed(tx, channel, nowMs, nowMs + pauseMs);
      }
      for (const subjectId of attempt.subjectIds) {
        await this.planning.plan(tx, { teamId, subjectId }, attempt.team, nowMs);
      }
    });
  }

  /** Returns what is due, oldest first; while the channel fails, that of the newest open alert first. */
  private async due(tx: Tx, channelId: string, { failingSince }: ChannelPause, nowMs: number): Promise<DueRecord[]> {
    const order =
      failingSince === null ? 'n.due_at, n.id' : 't.closed_at IS NOT NULL, t.recorded_at DESC, n.due_at, n.id';
    return managerOf(tx).query(
      `SELECT n.id, t.subject_id, n.alert_key, n.kind, n.message_id, n.due_at, t.monitors
       FROM notifications n JOIN notification_timers t ON t.alert_key = n.alert_key
       WHERE n.channel_id = $1 AND n.next_attempt_at <= $2 ORDER BY ${order} LIMIT ${MAX_DUE}`,
      [channelId, new Date(nowMs)],
    );
  }

  private async facts(
    tx: Tx,
    teamId: TeamId,
    ids: readonly string[],
    teamName: string,
    nowMs: number,
  ): Promise<MessageFacts> {
    const rows: (Pick<Notification, 'kind' | 'note'> & {
      id: string;
      subject_id: string;
      alert_key: string;
      monitors: SeenMonitor[];
    })[] = await managerOf(tx).query(
      `SELECT n.id, n.kind, n.note, n.alert_key, t.subject_id, t.monitors FROM notifications n
         JOIN notification_timers t ON t.alert_key = n.alert_key
         WHERE n.id = ANY($1::uuid[]) ORDER BY array_position($1::uuid[], n.id)`,
      [ids],
    );
    const members: MessageMember[] = [];
    for (const { kind, note, alert_key: alertKey, subject_id: subjectId, monitors } of rows) {
      const histories = await this.store.alerts(tx, { teamId, subjectId });
      const history = histories.find((one) => alertKeyOf({ episode: one.episode, incidentId: subjectId }) === alertKey);
      if (!history) continue;
      const ended = closedAt(history);
      const children = history.incidentId === null ? [] : await this.store.children(tx, history.incidentId);
      const isOpening = kind === 'trigger' || kind === 'repeat';
      members.push({
        ...{ kind, note, alertKey, event: history.event, incidentId: history.incidentId, subject: history.subject },
        endedAt: ended === null ? null : new Date(ended).toISOString(),
        monitors: isOpening ? [...monitors, ...children] : monitors,
      });
    }
    const opens = members.some(({ kind, event }) => kind === 'trigger' && event === 'down');
    const isWidespread = opens && (await this.isWidespread(tx, teamId, nowMs));
    const { origin } = this.config;
    return messageFacts(members, { id: ids[0]!, nowMs, teamName, origin, isWidespread });
  }

  private async isWidespread(tx: Tx, teamId: TeamId, nowMs: number): Promise<boolean> {
    const rows: { at: Date; monitor_id: string }[] = await managerOf(tx).query(
      `SELECT t.recorded_at AS at, m ->> 'id' AS monitor_id FROM notification_timers t
       CROSS JOIN jsonb_array_elements(t.monitors) AS m
       WHERE t.team_id = $1 AND t.event = 'down' AND t.recorded_at >= $2`,
      [teamId, new Date(nowMs - 2 * COMMON_CAUSE_MS)],
    );
    if (rows.length < 10) return false;
    const [count]: { monitors: number }[] = await managerOf(tx).query(
      'SELECT count(*)::int AS monitors FROM monitors WHERE team_id = $1',
      [teamId],
    );
    const outages = rows.map((row) => ({ monitorId: row.monitor_id, at: row.at.getTime() }));
    return isProbablyCommonCause(outages, count!.monitors);
  }
}

/** Chooses the notifications of the next message: a message that was begun, all that are collected, or a single one. */
function choose(
  due: readonly DueRecord[],
  isForPeople: boolean,
  { collectsUntil }: ChannelPause,
  nowMs: number,
): DueRecord[] {
  const [first] = due;
  if (!first) return [];
  const begun = due.find(({ message_id: id }) => id !== null)?.message_id;
  if (begun != null) return due.filter(({ message_id: id }) => id === begun).sort((a) => (a.id === begun ? -1 : 0));
  if (!isForPeople) return [first];
  const pending = due.map(({ id, kind, due_at: dueAt, monitors }) => ({
    ...{ key: id, kind, dueAt: dueAt.getTime() },
    monitors: monitors.map(({ name }) => name),
  }));
  const { message } = collect(nowMs, collectsUntil, pending, MAX_NAMED);
  return (message?.members ?? []).map((id) => due.find((one) => one.id === id)!);
}

async function giveUp(tx: Tx, channelId: string, nowMs: number): Promise<void> {
  await managerOf(tx).query(
    `UPDATE notifications SET status = 'failed', settled = true, next_attempt_at = NULL WHERE id IN (
       SELECT id FROM notifications WHERE channel_id = $1 AND next_attempt_at IS NOT NULL AND give_up_at <= $2
       FOR UPDATE SKIP LOCKED)`,
    [channelId, new Date(nowMs)],
  );
}

/** Stores the start of an attempt. From now on, the incidents are not deleted even if they are withdrawn. */
async function begin(tx: Tx, ids: readonly string[], messageId: string | null, at: string): Promise<void> {
  const attempt: StoredAttempt = { at, outcome: 'unknown', durationMs: null, statusCode: null, error: null };
  await managerOf(tx).query(
    'UPDATE notifications SET attempts = attempts || $2::jsonb, message_id = $3 WHERE id = ANY($1::uuid[])',
    [ids, JSON.stringify([attempt]), messageId],
  );
  await managerOf(tx).query(
    `UPDATE incidents SET notified_at = $2 WHERE notified_at IS NULL
       AND id IN (SELECT incident_id FROM notifications WHERE id = ANY($1::uuid[]))`,
    [ids, at],
  );
}

function afterAttempt(
  row: Notification,
  at: string,
  delivery: Delivery,
  nowMs: number,
  retryAtMs: number,
): Partial<Notification> {
  const isPermanent = delivery.status === 'failed' && delivery.permanent;
  const outcome = delivery.status === 'sent' ? 'sent' : isPermanent ? 'refused' : 'failed';
  const attempts = row.attempts.map((one): StoredAttempt => {
    if (one.at !== at || one.outcome !== 'unknown') return one;
    const error = delivery.status === 'sent' ? null : delivery.error;
    return { at, outcome, durationMs: nowMs - Date.parse(at), statusCode: delivery.statusCode, error };
  });
  if (outcome === 'sent') {
    const sentAt = new Date(nowMs);
    return { attempts, status: 'sent', reason: null, settled: true, sentAt, nextAttemptAt: null };
  }
  const isOver = isPermanent || (row.giveUpAt !== null && row.giveUpAt.getTime() <= nowMs);
  if (isOver) return { attempts, status: 'failed', settled: true, nextAttemptAt: null };
  return { attempts, nextAttemptAt: new Date(retryAtMs) };
}
