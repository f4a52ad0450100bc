import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { afterCommit, managerOf, type Tx } from '../../database/tx.js';
import { currentActor } from '../../http/auth/actor.js';
import { ERA } from './event-position.js';
import { NOTIFYING, UNPLANNED_CHANNEL } from './event.types.js';
import { type NewEvent } from './new-event.types.js';

/** Records events. Everything that reads what happened (feed, stream, audit log, notifications) reads these rows. */
@Injectable()
export class EventLog {
  private isAnnouncing = false;
  private isMoreToAnnounce = false;

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Records events in the transaction that makes the changes, in this order, so that an event exists if and only if its
   * change does. Events from which notifications may follow are marked for the planner, and wake it.
   * Events whose data state `notifySubscribers: true` are marked for the mails to subscribers of status pages.
   */
  async record(tx: Tx, events: readonly NewEvent[], nowMs = Date.now()): Promise<void> {
    if (events.length === 0) return;
    const acting = currentActor();
    const actors = events.map(({ actor = acting }) => actor);
    const marked: unknown[] = await managerOf(tx).query(INSERT, [
      events.map(({ id = uuidv7() }) => id),
      events.map(({ teamId }) => teamId),
      events.map(({ type }) => type),
      events.map(({ occurredAtMs = nowMs }) => new Date(occurredAtMs)),
      actors.map(({ type }) => type),
      actors.map(({ id }) => id),
      actors.map(({ name }) => name),
      actors.map(({ requestId }) => requestId),
      events.map(({ resource }) => resource.type),
      events.map(({ resource }) => resource.id),
      events.map(({ resource }) => resource.key ?? null),
      events.map(({ resource }) => resource.name ?? null),
      events.map(({ changes = null }) => changes && JSON.stringify(changes)),
      events.map(({ data = {} }) => JSON.stringify(data)),
      new Date(nowMs),
      NOTIFYING,
    ]);
    if (marked.length > 0) afterCommit(tx, () => this.announce());
  }

  /** Lets the alerts that these events opened be planned again, because facts outside of the log have changed. */
  async planAgain(tx: Tx, eventIds: readonly string[]): Promise<void> {
    if (eventIds.length === 0) return;
    const marked: unknown[] = await managerOf(tx).query(PLAN_AGAIN, [eventIds]);
    if (marked.length > 0) afterCommit(tx, () => this.announce());
  }

  /**
   * Wakes the planners of all processes, which look for marks every second anyway. Outside of the transaction, because the
   * server commits transactions that notify one after the other, and those of results must not wait for each other.
   */
  private announce(): void {
    this.isMoreToAnnounce = this.isAnnouncing;
    if (this.isAnnouncing) return;
    this.isAnnouncing = true;
    void this.dataSource
      .query(`NOTIFY ${UNPLANNED_CHANNEL}`)
      .catch(() => undefined)
      .finally(() => {
        this.isAnnouncing = false;
        if (this.isMoreToAnnounce) this.announce();
      });
  }
}

/** One statement, so that the marks cost no further round trip. Returns a row if an event was marked for the planner. */
const INSERT = `
  WITH recorded AS (
    INSERT INTO events (id, team_id, era, transaction_id, type, occurred_at, recorded_at, actor_type, actor_id,
      actor_name, request_id, resource_type, resource_id, resource_key, resource_name, changes, data)
    SELECT id, team_id, ${ERA}, pg_current_xact_id()::text::bigint, type, occurred_at, $15, actor_type,
      actor_id, actor_name, request_id, resource_type, resource_id, resource_key, resource_name, changes, data
    FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::text[], $10::text[], $11::text[], $12::text[], $13::jsonb[], $14::jsonb[]) WITH ORDINALITY
      AS t (id, team_id, type, occurred_at, actor_type, actor_id, actor_name, request_id, resource_type, resource_id,
        resource_key, resource_name, changes, data, place)
    ORDER BY place
    RETURNING id, sequence, team_id, type, resource_type, resource_id, data
  ), marked AS (
    INSERT INTO unplanned_events (event_id, sequence, team_id, resource_type, resource_id)
    SELECT id, sequence, team_id, resource_type, resource_id FROM recorded WHERE type = ANY($16::text[]) RETURNING 1
  ), published AS (
    INSERT INTO unpublished_events (event_id, sequence)
    SELECT id, sequence FROM recorded WHERE data @> '{"notifySubscribers": true}'
  )
  SELECT 1 FROM marked LIMIT 1`;

const PLAN_AGAIN = `
  WITH marked AS (
    INSERT INTO unplanned_events (event_id, sequence, team_id, resource_type, resource_id)
    SELECT id, sequence, team_id, resource_type, resource_id FROM events WHERE id = ANY($1::uuid[])
    ON CONFLICT DO NOTHING RETURNING 1
  )
  SELECT 1 FROM marked LIMIT 1`;
