import { Injectable } from '@nestjs/common';
import { type ChannelAudience } from '../../channels/channel.js';
import { channelOf } from '../../channels/index.js';
import { type Delivery } from '../../channels/delivery.js';
import { type MessageFacts } from '../../channels/message.js';
import { afterCommit, managerOf, Transactions, type Tx } from '../../database/tx.js';
import { COLLECT_MS } from '../../domain/notification-plan/collect.js';
import { ChannelHealthService } from '../notification-channels/channel-health.service.js';
import { NotificationPoliciesService } from '../notification-policies/notification-policies.service.js';
import { TeamsService } from '../teams/teams.service.js';
import { AlertRefreshes } from './alert-refreshes.service.js';
import { AlertStore } from './alert-store.service.js';
import { absorb, begin, end, failWaiting, giveUp, holdUnheard, unheard } from './attempt-records.js';
import { ChannelClaimsService, type ChannelPause, type ClaimedChannel } from './channel-claims.service.js';
import { idsOf, readDue, readStillDue } from './due-notifications.js';
import { MessageComposer, type NamedTeam } from './message-composer.service.js';
import { choose, type NextMessages } from './next-messages.js';
import { type NotificationOutcome, NotificationOutcomesService } from './notification-outcomes.service.js';
import { PlanningService } from './planning.service.js';

/** Messages whose attempts have been stored, and must now be made. */
export interface StartedAttempts {
  messages: { ids: readonly string[]; subjectIds: string[]; facts: MessageFacts }[];
  /** When they were stored; identifies them among the attempts of a notification. */
  at: string;
  /** The type of the channel; null if it was deleted. */
  type: string | null;
  /** Set if they only repeat an open alert, whose receiver would forget it; nothing of that is recorded. */
  refreshId: string | null;
}

/** The owners of a team are mailed as through a channel. */
const OWNERS_TYPE = 'email';
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
    private readonly teams: TeamsService,
    private readonly composer: MessageComposer,
    private readonly refreshes: AlertRefreshes,
    private readonly health: ChannelHealthService,
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
    // Read before the transaction, which must not wait for a second connection while it has one.
    const [{ channels }, [named]] = await Promise.all([this.policies.alerting(teamId), this.teams.find(teamId)]);
    const team = { teamId, teamName: named?.name ?? '' };
    const own = channels.find(({ id }) => id === channelId);
    const type = channelId === teamId ? OWNERS_TYPE : (own?.type ?? null);
    const audience = audienceOf(type);
    const pause = await this.claims.pauseOf(channel);
    if (!pause) return null;
    if (pause.failingSince !== null) {
      const givenUp = await this.transactions.run((tx) => giveUp(tx, channelId, nowMs));
      this.outcomes.report(Array.from({ length: givenUp }, () => ({ type, status: 'failed' })));
    }
    const at = new Date(nowMs).toISOString();
    // Every transaction locks alerts before it writes anything else, so that none waits for another in a circle.
    return this.transactions.run(async (tx) => {
      const due = await readDue(tx, channelId, audience, pause, nowMs);
      const chosen = choose(due, audience, pause, nowMs);
      const isRefreshFirst =
        chosen?.triedAt != null && (await this.isRefreshFirst(tx, channel, type, chosen.triedAt, at));
      if (!chosen || isRefreshFirst) {
        const refresh = await this.refresh(tx, channel, { team, isEnabled: own?.enabled ?? false, type, at }, pause);
        return chosen ? (refresh ?? 'again') : refresh;
      }
      await this.store.lock(
        tx,
        chosen.due.map((one) => one.subject_id),
      );
      const known = await unheard(tx, idsOf(chosen.due));
      const still = await this.stillDue(tx, channel, chosen, nowMs);
      const isComplete = chosen.due.every(({ id }) => still.has(id));
      const rest = chosen.due.filter(({ id }) => still.has(id));
      const left = isComplete ? chosen : choose(rest, audience, pause, nowMs);
      if (!left) return 'again';
      if (!(await this.claims.renew(tx, channel))) return null;
      const facts = await this.composer.compose(tx, team, left.messages, nowMs);
      // Only now, because no result of their monitors can be recorded as long as the incidents are held.
      const held = await holdUnheard(tx, idsOf(left.due));
      // An incident has been withdrawn since: with the event of that, the plan is another one.
      if (left.due.some(({ id }) => known.has(id) && !held.has(id))) return 'again';
      if (left.storm) await this.claims.saveStorm(tx, channel, left.storm);
      if (left.absorbed.length > 0) await absorb(tx, channelId, left.absorbed, left.stormKey!, at);
      if (left.messages.length === 0) return 'again';
      await begin(tx, left.messages, at);
      const subjectOf = new Map(left.due.map((one) => [one.id, one.subject_id]));
      const messages = left.messages.map(({ ids }, index) => {
        return { ids, subjectIds: [...new Set(ids.map((id) => subjectOf.get(id)!))], facts: facts[index]! };
      });
      return { messages, at, type, refreshId: null };
    });
  }

  /**
   * Stores the outcomes of attempts, in the order of their messages, and the health of the channel, and plans again what
   * they may change: a failure may make another step due, and an alert that has ended is complete once its last message
   * is sent. If the process was suspended and another one has claimed the channel since, only what was sent is stored.
   */
  async finish(
    channel: ClaimedChannel,
    attempts: StartedAttempts,
    deliveries: readonly Delivery[],
    nowMs = Date.now(),
  ): Promise<void> {
    const { messages, at, type } = attempts;
    const isFailed = (index: number): boolean => deliveries[index]!.status === 'failed';
    const failed = messages.flatMap(({ subjectIds }, index) => (isFailed(index) ? subjectIds : []));
    const pauses = deliveries.filter(({ status }) => status === 'failed').map(pauseAfter);
    await this.transactions.run(async (tx) => {
      const subjectIds = messages.flatMap((one) => one.subjectIds);
      await this.store.lock(tx, subjectIds);
      const isHeld = await this.claims.renew(tx, channel);
      const outcomes = messages
        .map(({ ids }, index) => {
          return { ids, delivery: deliveries[index]!, retryAtMs: nowMs + pauseAfter(deliveries[index]!) };
        })
        .filter(({ delivery }) => isHeld || delivery.status === 'sent');
      const reached = (await end(tx, at, outcomes, nowMs)).map(
        ({ status, due_at: dueAt, created_at: createdAt }): NotificationOutcome => {
          return { type, status, latencyMs: nowMs - (dueAt ?? createdAt).getTime() };
        },
      );
      afterCommit(tx, () => this.outcomes.report(reached));
      if (!isHeld) return;
      await this.health.record(tx, { id: channel.channelId, teamId: channel.teamId }, new Date(at), deliveries);
      let firstOfThree: Date | null = null;
      if (pauses.length > 0) {
        firstOfThree = await this.claims.failed(tx, channel, new Date(at), new Date(nowMs + Math.max(...pauses)));
      } else if (messages.some(({ facts }) => facts.isDrill)) await this.claims.succeeded(tx, channel);
      else await this.claims.succeeded(tx, channel, audienceOf(type) === 'people' ? nowMs + COLLECT_MS : null);
      await this.scheduleRefresh(tx, attempts, deliveries, nowMs);
      await this.planAgain(tx, channel, [...failed, ...(await closed(tx, subjectIds))], nowMs);
      // Last, because nothing may wait for a transaction that has written what belongs to alerts it has not locked.
      if (firstOfThree) await failWaiting(tx, channel.channelId, firstOfThree, new Date(at));
    });
  }

  /** Returns whether an open alert is due to be repeated, and was sent or attempted before what else is due. */
  private async isRefreshFirst(
    tx: Tx,
    { channelId }: ClaimedChannel,
    type: string | null,
    triedAt: string,
    at: string,
  ): Promise<boolean> {
    const refreshMs = refreshMsOf(type);
    if (refreshMs === null) return false;
    const dueMs = await this.refreshes.dueMs(tx, channelId, Date.parse(at));
    return dueMs !== null && dueMs - refreshMs <= Date.parse(triedAt);
  }

  /** Returns the attempt to repeat an open alert that its receiver would forget; `null` if there is none. */
  private async refresh(
    tx: Tx,
    channel: ClaimedChannel,
    { team, isEnabled, type, at }: { team: NamedTeam; isEnabled: boolean; type: string | null; at: string },
    { storm }: ChannelPause,
  ): Promise<StartedAttempts | 'again' | null> {
    const { channelId } = channel;
    const nowMs = Date.parse(at);
    const due = await this.refreshes.next(tx, channelId, storm?.storm ?? null, nowMs);
    if (!due) return null;
    if (!(await this.claims.renew(tx, channel))) return null;
    if (!isEnabled || due.ids.length === 0) {
      await this.refreshes.postpone(tx, due.id, nowMs + RETRY_MS);
      return 'again';
    }
    const [facts] = await this.composer.compose(tx, team, [due], nowMs);
    return { messages: [{ ids: [], subjectIds: [], facts: facts! }], at, type, refreshId: due.id };
  }

  /** Computes the plans of notifications, whose alerts are locked, again where needed, and returns the ids still due. */
  private async stillDue(
    tx: Tx,
    channel: ClaimedChannel,
    { due }: NextMessages,
    nowMs: number,
  ): Promise<ReadonlySet<string>> {
    const ids = idsOf(due);
    const before = await readStillDue(tx, channel.teamId, ids, nowMs);
    const stale = before.filter((one) => one.is_stale).map((one) => one.subject_id);
    if (stale.length === 0) return new Set(before.map(({ id }) => id));
    await this.planAgain(tx, channel, stale, nowMs);
    return new Set((await readStillDue(tx, channel.teamId, ids, nowMs)).map(({ id }) => id));
  }

  private async planAgain(
    tx: Tx,
    { teamId }: ClaimedChannel,
    subjectIds: readonly string[],
    nowMs: number,
  ): Promise<void> {
    if (subjectIds.length === 0) return;
    const refs = [...new Set(subjectIds)].map((subjectId) => ({ teamId, subjectId }));
    await this.planning.plan(tx, refs, new Map([[teamId, await this.policies.alerting(teamId, tx)]]), nowMs);
  }

  private async scheduleRefresh(
    tx: Tx,
    { refreshId, messages, type }: StartedAttempts,
    deliveries: readonly Delivery[],
    nowMs: number,
  ): Promise<void> {
    const refreshMs = refreshMsOf(type);
    if (refreshMs === null) return;
    const atMs = nowMs + refreshMs;
    // Also if it failed, so that one whose repetition is never accepted does not hold up the others.
    if (refreshId !== null) return this.refreshes.postpone(tx, refreshId, atMs);
    for (const [index, { ids }] of messages.entries()) {
      if (deliveries[index]!.status === 'sent') await this.refreshes.begin(tx, ids[0]!, atMs);
    }
  }
}

/** Returns after how long the receivers of a channel type need an open alert again; null if they do not forget it. */
function refreshMsOf(type: string | null): number | null {
  const seconds = channelOf(type ?? '')?.refreshSeconds;
  return seconds === undefined ? null : seconds * 1_000;
}

function audienceOf(type: string | null): ChannelAudience {
  return channelOf(type ?? '')?.audience ?? 'program';
}

async function closed(tx: Tx, subjectIds: readonly string[]): Promise<string[]> {
  const rows: { subject_id: string }[] = await managerOf(tx).query(
    'SELECT DISTINCT subject_id FROM notification_timers WHERE subject_id = ANY($1::uuid[]) AND closed_at IS NOT NULL',
    [subjectIds],
  );
  return rows.map((row) => row.subject_id);
}

/** Returns how long a channel waits after a failure. */
function pauseAfter(delivery: Delivery): number {
  const retryAfterMs = delivery.status === 'failed' ? delivery.retryAfterMs : null;
  return Math.min(Math.max(retryAfterMs ?? RETRY_MS, MIN_RETRY_MS), MAX_RETRY_MS);
}
