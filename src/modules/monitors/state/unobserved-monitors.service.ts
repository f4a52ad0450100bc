import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { managerOf, Transactions, type Tx } from '../../../database/tx.js';
import { DAY_MS } from '../../../domain/durations.js';
import { groupBy } from '../../../domain/group-by.js';
import {
  causeKey,
  JOINS_AFTER_MS,
  OWN_NETWORK,
  type UnobservedGroup,
  unobservedGroups,
} from '../../../domain/unobserved.js';
import { SYSTEM_ACTOR } from '../../../http/auth/actor.js';
import { EventLog } from '../../events/event-log.service.js';
import { TURNS } from '../../events/event.types.js';
import { type NewEvent } from '../../events/new-event.types.js';
import { monitorEvent } from '../definition/monitor-events.js';
import { SpansService } from '../history/spans.service.js';
import { MonitorStatesService } from './monitor-states.service.js';
import { type LockedMonitor, readNames } from './state-records.js';
import { readUnobserved, type UnobservedRow } from './unobserved-records.js';

/** Maximum number of monitors per transaction. */
const BATCH = 500;
/** Groups that are over are kept this long, because alerts are planned and sent by them. */
const KEPT_MS = 30 * DAY_MS;
const FORGET_EVERY_MS = 3_600_000;

type Group = UnobservedGroup<UnobservedRow> & { id: string };

/** A monitor that has left its group. */
interface Leaver {
  group_id: string;
  monitor_id: string;
  team_id: string;
  cause: string;
  joined_at: Date;
}

/** Records that monitors have not been observed for some time, and that they are again. */
@Injectable()
export class UnobservedMonitorsService {
  private forgottenAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly states: MonitorStatesService,
    private readonly spans: SpansService,
    private readonly events: EventLog,
  ) {}

  /**
   * Records events for some of the monitors that have been `unknown` for too long, and for some that no longer are. The
   * next call handles the rest.
   * @param watchedSinceMs since when checks have been dispatched without interruption. Each monitor is given an interval
   *   for a result after that, because what happened before is not due to its checks.
   */
  async sweep(nowMs: number, watchedSinceMs: number): Promise<void> {
    await this.release(nowMs);
    await this.raise(nowMs, watchedSinceMs);
    if (nowMs - this.forgottenAt < FORGET_EVERY_MS) return;
    this.forgottenAt = nowMs;
    await this.dataSource.query(
      `DELETE FROM unobserved_monitors u WHERE left_at < $1 AND NOT EXISTS (
         SELECT FROM unobserved_monitors o WHERE o.group_id = u.group_id AND (o.left_at IS NULL OR o.left_at >= $1))`,
      [new Date(nowMs - KEPT_MS)],
    );
  }

  private async raise(nowMs: number, watchedSinceMs: number): Promise<void> {
    const latest = nowMs - JOINS_AFTER_MS;
    if (watchedSinceMs > latest) return;
    const found: { monitor_id: string; counted_from: Date }[] = await this.dataSource.query(CANDIDATES, [
      new Date(latest),
      new Date(watchedSinceMs),
      new Date(nowMs),
    ]);
    if (found.length === 0) return;
    const countedFrom = new Map(found.map((row) => [row.monitor_id, row.counted_from.getTime()]));
    await this.transactions.run(async (tx) => {
      const locked = await this.states.lock(tx, [...countedFrom.keys()]);
      const unknown = await this.ofNoGroup(
        tx,
        [...locked.values()].filter(({ shown }) => shown.status === 'unknown'),
      );
      const monitors = await readUnobserved(managerOf(tx), unknown, countedFrom);
      const open = await this.openGroups(tx, monitors);
      const groups = unobservedGroups(monitors, open, nowMs).map((one) => ({ ...one, id: one.groupId ?? uuidv7() }));
      if (groups.length === 0) return;
      await this.store(tx, groups, nowMs);
      await this.events.record(tx, groups.flatMap(raisedEvents), nowMs);
      for (const group of groups.filter(isOwnNetwork)) await this.interrupt(tx, group, nowMs);
    });
  }

  private async ofNoGroup(tx: Tx, monitors: readonly LockedMonitor[]): Promise<LockedMonitor[]> {
    const rows: { monitor_id: string }[] = await managerOf(tx).query(
      'SELECT monitor_id FROM unobserved_monitors WHERE monitor_id = ANY($1::uuid[]) AND left_at IS NULL',
      [monitors.map(({ monitorId }) => monitorId)],
    );
    const members = new Set(rows.map((row) => row.monitor_id));
    return monitors.filter(({ monitorId }) => !members.has(monitorId));
  }

  private async openGroups(tx: Tx, monitors: readonly UnobservedRow[]): Promise<Map<string, string>> {
    const rows: { teamId: string; cause: string; groupId: string }[] = await managerOf(tx).query(
      `SELECT team_id AS "teamId", cause, min(group_id::text) AS "groupId" FROM unobserved_monitors
       WHERE team_id = ANY($1::uuid[]) AND left_at IS NULL GROUP BY team_id, cause`,
      [[...new Set(monitors.map(({ teamId }) => teamId))]],
    );
    return new Map(rows.map((row) => [causeKey(row), row.groupId]));
  }

  private async store(tx: Tx, groups: readonly Group[], nowMs: number): Promise<void> {
    const members = groups.flatMap(({ id, monitors }) => monitors.map((one) => ({ ...one, groupId: id })));
    await managerOf(tx).query(
      `INSERT INTO unobserved_monitors (group_id, monitor_id, team_id, cause, unobserved_since, joined_at)
       SELECT t.*, $6 FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[]) AS t
       ON CONFLICT (group_id, monitor_id) DO UPDATE SET joined_at = excluded.joined_at, left_at = NULL, left_how = NULL`,
      [
        members.map(({ groupId }) => groupId),
        members.map(({ monitorId }) => monitorId),
        members.map(({ teamId }) => teamId),
        members.map(({ cause }) => cause),
        members.map(({ unobservedSince }) => new Date(unobservedSince)),
        new Date(nowMs),
      ],
    );
  }

  /** Records the loss of our own network with the first monitors; later ones only change whom its alert concerns. */
  private async interrupt(tx: Tx, group: Group, nowMs: number): Promise<void> {
    const { id, teamId, cause, groupId, monitors } = group;
    if (groupId !== null) return this.events.planAgain(tx, [id]);
    const [{ location, message }] = monitors as [UnobservedRow];
    const since = Math.min(...monitors.map(({ unobservedSince }) => unobservedSince));
    const error = { errorCode: cause, message };
    await this.spans.recordNetworkLoss(
      tx,
      { id, teamId, location, since, error, monitorCount: monitors.length },
      nowMs,
    );
  }

  private async release(nowMs: number): Promise<void> {
    const found: { monitor_id: string }[] = await this.dataSource.query(
      `SELECT u.monitor_id FROM unobserved_monitors u LEFT JOIN monitor_states s ON s.monitor_id = u.monitor_id
       WHERE u.left_at IS NULL AND s.status IS DISTINCT FROM 'unknown' ORDER BY u.monitor_id LIMIT ${BATCH}`,
    );
    if (found.length === 0) return;
    await this.transactions.run(async (tx) => {
      const ids = found.map((row) => row.monitor_id);
      const locked = await this.states.lock(tx, ids);
      const gone = ids.filter((id) => locked.get(id)?.shown.status !== 'unknown');
      const [left]: [Leaver[], number] = await managerOf(tx).query(
        `UPDATE unobserved_monitors u SET left_at = $3, left_how = t.how FROM unnest($1::uuid[], $2::text[]) AS t (id, how)
         WHERE u.monitor_id = t.id AND u.left_at IS NULL
         RETURNING u.group_id, u.monitor_id, u.team_id, u.cause, u.joined_at`,
        [gone, gone.map((id) => howLeft(locked.get(id))), new Date(nowMs)],
      );
      await this.recordObserved(tx, left, locked, nowMs);
      await this.end(tx, [...new Set(left.map((row) => row.group_id))], nowMs);
    });
  }

  /**
   * Records the state of monitors that are observed again, unless the change itself was recorded: it is not if they are up
   * or degraded as before. Such an event names the group, because it repeats a state that alerts know of.
   */
  private async recordObserved(
    tx: Tx,
    left: readonly Leaver[],
    locked: ReadonlyMap<string, LockedMonitor>,
    nowMs: number,
  ): Promise<void> {
    const observed = left.filter(({ cause, monitor_id: id }) => {
      return cause !== OWN_NETWORK && TURNS.has(`monitor.${locked.get(id)?.shown.status ?? ''}`);
    });
    if (observed.length === 0) return;
    const recorded: { monitor_id: string }[] = await managerOf(tx).query(
      `SELECT t.monitor_id FROM unnest($1::uuid[], $2::text[], $3::timestamptz[]) AS t (team_id, monitor_id, since)
       WHERE EXISTS (SELECT FROM events e WHERE e.team_id = t.team_id AND e.resource_id = t.monitor_id
         AND e.recorded_at >= t.since AND e.type = ANY($4))`,
      [
        observed.map((row) => row.team_id),
        observed.map((row) => row.monitor_id),
        observed.map((row) => row.joined_at),
        [...TURNS],
      ],
    );
    const known = new Set(recorded.map((row) => row.monitor_id));
    const groupOf = new Map(
      observed.flatMap(({ monitor_id: id, group_id: groupId }) => (known.has(id) ? [] : [[id, groupId] as const])),
    );
    const names = await readNames(managerOf(tx), [...groupOf.keys()]);
    const events = [...names.values()].map((monitor) => {
      const status = locked.get(monitor.id)!.shown.status as 'up' | 'degraded' | 'down';
      const data = { status, previousStatus: 'unknown', groupId: groupOf.get(monitor.id) };
      return monitorEvent(`monitor.${status}`, monitor, { data, actor: SYSTEM_ACTOR });
    });
    await this.events.record(tx, events, nowMs);
  }

  /** Ends those of the groups that all monitors have left. */
  private async end(tx: Tx, groupIds: readonly string[], nowMs: number): Promise<void> {
    const over: { group_id: string; cause: string }[] = await managerOf(tx).query(
      `SELECT group_id, cause FROM unobserved_monitors WHERE group_id = ANY($1::uuid[])
       GROUP BY group_id, cause HAVING bool_and(left_at IS NOT NULL)`,
      [groupIds],
    );
    const byNetwork = groupBy(over, isOwnNetwork);
    const ids = (rows: readonly { group_id: string }[] = []) => rows.map((row) => row.group_id);
    await this.spans.recordNetworkReturn(tx, ids(byNetwork.get(true)), nowMs);
    await this.events.planAgain(tx, ids(over));
  }
}

/**
 * The monitors whose checks have been unknown for long enough, longest first, and from when on that counts: from the first
 * missing result, but not before the end of their maintenance, in which nobody minds, or an interval after `$2` or after
 * one of their locations was enabled. While none is, the operator wants no checks.
 */
const CANDIDATES = `
  WITH enabled AS MATERIALIZED (
    SELECT l.key, coalesce((SELECT max(a.ends_at) FROM spans a WHERE a.monitor_id IS NULL AND a.location = l.key
      AND a.kind = 'absence' AND a.reason = 'disabled'), '-infinity') AS since
    FROM locations l WHERE l.enabled)
  SELECT s.monitor_id, c.counted_from FROM monitor_states s JOIN monitors m ON m.id = s.monitor_id
  CROSS JOIN LATERAL (SELECT min(e.since) AS since FROM enabled e WHERE e.key = ANY(m.locations)) AS l
  CROSS JOIN LATERAL (SELECT greatest(s.status_since,
    greatest($2::timestamptz, l.since) + m.interval_seconds * interval '1 second',
    (SELECT max(p.ends_at) FROM spans p
     WHERE p.monitor_id = s.monitor_id AND p.kind = 'maintenance' AND p.ends_at <= $3)) AS counted_from) AS c
  WHERE s.status = 'unknown' AND m.interval_seconds > 0 AND s.status_since <= $1 AND c.counted_from <= $1
    AND l.since IS NOT NULL AND NOT EXISTS (
      SELECT FROM unobserved_monitors u WHERE u.monitor_id = s.monitor_id AND u.left_at IS NULL)
  ORDER BY s.status_since, s.monitor_id LIMIT ${BATCH}`;

function isOwnNetwork({ cause }: { cause: string }): boolean {
  return cause === OWN_NETWORK;
}

function howLeft(monitor: LockedMonitor | undefined): 'resolved' | 'paused' | 'deleted' {
  if (!monitor) return 'deleted';
  return monitor.shown.status === 'paused' ? 'paused' : 'resolved';
}

/** Returns an event for each monitor that joins a group; the first one may open it. None for the loss of our network. */
function raisedEvents(group: Group): NewEvent[] {
  if (isOwnNetwork(group)) return [];
  const { id: groupId, monitors } = group;
  return monitors.map(({ monitorId, teamId, key, name, cause, message, previousStatus, unobservedSince }, index) => {
    const event = monitorEvent(
      'monitor.unknown',
      { id: monitorId, teamId, key, name },
      {
        occurredAtMs: unobservedSince,
        data: {
          ...{ status: 'unknown', previousStatus, startedAt: new Date(unobservedSince).toISOString() },
          ...{ cause: { errorCode: cause, message }, groupId },
        },
        actor: SYSTEM_ACTOR,
      },
    );
    return index === 0 && group.groupId === null ? { ...event, id: groupId } : event;
  });
}
