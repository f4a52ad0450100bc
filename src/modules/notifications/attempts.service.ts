import { Injectable } from '@nestjs/common';
import { channelOf } from '../../channels/index.js';
import { type Delivery } from '../../channels/delivery.js';
import { type MessageFacts } from '../../channels/message.js';
import { afterCommit, managerOf, Transactions, type Tx } from '../../database/tx.js';
import { COLLECT_MS } from '../../domain/notification-plan/collect.js';
import { type Alerting, NotificationPoliciesService } from '../notification-policies/notification-policies.service.js';
import { AlertStore } from './alert-store.service.js';
import { begin, choose, type DueRecord, dueOn, end, giveUp } from './attempt-rows.js';
import { ChannelClaimsService, type ClaimedChannel } from './channel-claims.service.js';
import { MessageComposer } from './message-composer.service.js';
import { type NotificationOutcome, NotificationOutcomesService } from './notification-outcomes.service.js';
import { PlanningService } from './planning.service.js';

/** Messages whose attempts have been stored, and must now be made. */
export interface StartedAttempts {
  messages: { ids: string[]; subjectIds: string[]; facts: MessageFacts }[];
  /** When they were stored; identifies them among the attempts of a notification. */
  at: string;
  team: Alerting;
  isForPeople: boolean;
}

/** A notification that is still due once its alert is locked. */
interface StillDue {
  id: string;
  subject_id: string;
  is_stale: boolean;
}

const RETRY_MS = 60_000;
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 3_600_000;

/** Decides what a claimed channel sends next, and stores each attempt before and after it is made. */
@Injectable()
export class AttemptsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly claims: ChannelClaimsService,
    private readonly store: AlertStore,
    private readonly planning: PlanningService,
    private readonly policies: NotificationPoliciesService,
    private readonly composer: MessageComposer,
    private readonly outcomes: NotificationOutcomesService,
  ) {}

  /**
   * Stores the start of the next attempts, so that their outcome counts as unknown if the process dies, and returns
   * them; `null` if there is nothing to send now. What is due may have been held back, replaced or withdrawn since it was
   * planned, so a plan that time or events may have changed is computed again before; if nothing is left then, returns
   * `again`.
   */
  async start(channel: ClaimedChannel, nowMs = Date.now()): Promise<StartedAttempts | 'again' | null> {
    const { teamId, channelId } = channel;
    const team = await this.policies.alerting(teamId);
    const type = typeIn(team, channel);
    const isForPeople = channelOf(type ?? '')?.audience === 'people';
    const pause = await this.claims.pauseOf(channel);
    if (!pause) return null;
    if (pause.failingSince !== null) {
      const givenUp = await this.transactions.run((tx) => giveUp(tx, channelId, nowMs));
      this.outcomes.report(Array.from({ length: givenUp }, () => ({ type, status: 'failed' })));
    }
    // Every transaction locks alerts before it writes anything else, so that none waits for another in a circle.
    return this.transactions.run(async (tx) => {
      const chosen = choose(await dueOn(tx, channelId, isForPeople, pause, nowMs), isForPeople, pause, nowMs);
      if (chosen.length === 0) return null;
      const still = await this.stillDue(tx, channel, chosen.flat(), team, nowMs);
      const left = chosen
        .map((members) => members.filter(({ id }) => still.has(id)))
        .filter(({ length }) => length > 0);
      if (left.length === 0) return 'again';
      if (!(await this.claims.renew(tx, channel))) return null;
      const ids = left.map((members) => members.map(({ id }) => id));
      const facts = await this.composer.compose(tx, teamId, ids, nowMs);
      const at = new Date(nowMs).toISOString();
      await begin(tx, left, at);
      const messages = left.map((members, index) => {
        const subjectIds = [...new Set(members.map((one) => one.subject_id))];
        return { ids: ids[index]!, subjectIds, facts: facts[index]! };
      });
      return { messages, at, team, isForPeople };
    });
  }

  /**
   * Stores the outcomes of attempts, in the order of their messages, and plans again what they may change: a failure may
   * make another step due, and an alert that has ended is complete once its last message is sent.
   */
  async finish(
    channel: ClaimedChannel,
    { messages, at, team, isForPeople }: StartedAttempts,
    deliveries: readonly Delivery[],
    nowMs = Date.now(),
  ): Promise<void> {
    const { teamId } = channel;
    const isFailed = (index: number): boolean => deliveries[index]!.status === 'failed';
    const failed = messages.flatMap(({ subjectIds }, index) => (isFailed(index) ? subjectIds : []));
    const pauseMs = Math.max(...deliveries.filter((_, index) => isFailed(index)).map(pauseOf));
    await this.transactions.run(async (tx) => {
      const subjectIds = messages.flatMap((one) => one.subjectIds);
      await this.store.lock(tx, subjectIds);
      const reached: NotificationOutcome[] = [];
      for (const [index, { ids }] of messages.entries()) {
        const ended = await end(tx, ids, at, deliveries[index]!, nowMs, nowMs + pauseOf(deliveries[index]!));
        for (const { status, due_at: dueAt, created_at: createdAt } of ended) {
          const latencyMs = nowMs - (dueAt ?? createdAt).getTime();
          reached.push({ type: typeIn(team, channel), status, latencyMs });
        }
      }
      afterCommit(tx, () => this.outcomes.report(reached));
      if (failed.length > 0) await this.claims.failed(tx, channel, nowMs, nowMs + pauseMs);
      else await this.claims.succeeded(tx, channel, isForPeople ? nowMs + COLLECT_MS : null);
      const again = new Set([...failed, ...(await this.closed(tx, subjectIds))]);
      const refs = [...again].map((subjectId) => ({ teamId, subjectId }));
      await this.planning.plan(tx, refs, new Map([[teamId, team]]), nowMs);
    });
  }

  /** Locks the alerts of notifications, computes their plans again where needed, and returns the ids that are still due. */
  private async stillDue(
    tx: Tx,
    { teamId }: ClaimedChannel,
    chosen: readonly DueRecord[],
    team: Alerting,
    nowMs: number,
  ): Promise<Set<string>> {
    await this.store.lock(
      tx,
      chosen.map((one) => one.subject_id),
    );
    const ids = chosen.map(({ id }) => id);
    let still = await readStillDue(tx, teamId, ids, nowMs);
    const stale = new Set(still.filter((one) => one.is_stale).map((one) => one.subject_id));
    if (stale.size > 0) {
      const refs = [...stale].map((subjectId) => ({ teamId, subjectId }));
      await this.planning.plan(tx, refs, new Map([[teamId, team]]), nowMs);
      still = await readStillDue(tx, teamId, ids, nowMs);
    }
    return new Set(still.map(({ id }) => id));
  }

  private async closed(tx: Tx, subjectIds: readonly string[]): Promise<string[]> {
    const rows: { subject_id: string }[] = await managerOf(tx).query(
      'SELECT DISTINCT subject_id FROM notification_timers WHERE subject_id = ANY($1::uuid[]) AND closed_at IS NOT NULL',
      [subjectIds],
    );
    return rows.map((row) => row.subject_id);
  }
}

function typeIn({ channels }: Alerting, { channelId }: ClaimedChannel): string | null {
  return channels.find(({ id }) => id === channelId)?.type ?? null;
}

/** Returns how long a channel waits after a failure. */
function pauseOf(delivery: Delivery): number {
  const retryAfterMs = delivery.status === 'failed' ? delivery.retryAfterMs : null;
  return Math.min(Math.max(retryAfterMs ?? RETRY_MS, MIN_RETRY_MS), MAX_RETRY_MS);
}

/** Also returns whether time, or an event that has not been planned yet, may have changed the plan. */
function readStillDue(tx: Tx, teamId: string, ids: readonly string[], nowMs: number): Promise<StillDue[]> {
  return managerOf(tx).query(
    `WITH unplanned AS MATERIALIZED (
       SELECT DISTINCT e.resource_id FROM unplanned_events u JOIN events e ON e.id = u.event_id WHERE e.team_id = $3)
     SELECT n.id, t.subject_id, coalesce(t.due_at <= $2, false)
       OR EXISTS (SELECT FROM unplanned u WHERE u.resource_id = t.subject_id::text OR EXISTS (
         SELECT FROM jsonb_array_elements(t.monitors) AS m WHERE m ->> 'id' = u.resource_id)) AS is_stale
     FROM notifications n JOIN notification_timers t ON t.alert_key = n.alert_key
     WHERE n.id = ANY($1::uuid[]) AND n.next_attempt_at <= $2`,
    [ids, new Date(nowMs), teamId],
  );
}
