import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isDatabaseAway } from '../../../database/database-fault.js';
import { managerOf, Transactions, type Tx } from '../../../database/tx.js';
import { type PublicationContent, publicationOf, type PublicationState } from '../../../domain/publication.js';
import { type TeamId } from '../../../http/auth/principal.js';
import { SubscriberMail } from '../../mail/subscriber-mail.service.js';
import { MonitorSelectionService } from '../../monitors/definition/monitor-selection.service.js';
import { CANCEL, DELETE_OLD, PUBLISH, PUBLISH_END, RECIPIENTS, SHOWN, WITHDRAW } from './publication-queries.js';

/** An event that could not be planned this often is set aside. */
const MAX_FAILURES = 5;
const RETRY_SECONDS = 10;

interface EventRow {
  id: string;
  team_id: TeamId;
  type: string;
  occurred_at: Date;
  resource_id: string;
  resource_name: string | null;
  data: Record<string, unknown>;
  /** The title of the incident that it is about, if somebody has chosen one. */
  title: string | null;
  now: Date;
}

/** What is published, where, and where it comes from. */
interface NewPublication {
  teamId: string;
  /** The only page to publish it on; null for every page that shows one of the monitors. */
  statusPageId: string | null;
  source: string;
  /** The source of the announcement of which it is the end. */
  endOf?: string;
  content: PublicationContent;
  monitorIds: readonly string[];
}

/**
 * Decides what subscribers are sent, and queues it for each of them. Any number of processes may do this at the same
 * time, by the clock of the database, like those that send it. It only reads events, so a fault of it never affects
 * alerts or the writes of callers.
 */
@Injectable()
export class Publications {
  private readonly logger = new Logger(Publications.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly selections: MonitorSelectionService,
    private readonly mail: SubscriberMail,
  ) {}

  /** Publishes the next event that asks for it. Returns whether there was one. Throws only if the database is away. */
  async publishNext(): Promise<boolean> {
    const [next]: { event_id: string }[] = await this.dataSource.query(
      `SELECT event_id FROM unpublished_events WHERE failures < ${MAX_FAILURES} AND (retry_at IS NULL OR retry_at <= now())
       ORDER BY sequence LIMIT 1`,
    );
    if (!next) return false;
    try {
      await this.transactions.run((tx) => this.publishEvent(tx, next.event_id));
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      this.logger.error(`could not inform subscribers of the event ${next.event_id}; will retry`, error);
      await this.dataSource.query(
        `UPDATE unpublished_events SET failures = failures + 1,
           retry_at = now() + ${RETRY_SECONDS} * 2 ^ failures * interval '1 second' WHERE event_id = $1`,
        [next.event_id],
      );
    }
    return true;
  }

  /** Publishes detected incidents, and their end, on the pages that announce them. */
  async announceDetected(): Promise<void> {
    if (!this.mail.canSend) return;
    const begun: DetectedRow[] = await this.dataSource.query(BEGUN);
    const over: DetectedRow[] = await this.dataSource.query(OVER);
    for (const [rows, state] of [
      [begun, 'detected'],
      [over, 'recovered'],
    ] as const) {
      for (const row of rows) await this.transactions.run((tx) => this.insert(tx, announcementOf(row, state)));
    }
  }

  /** Deletes what was published long ago and nothing depends on any more, with the record of who was sent it. */
  async deleteOld(): Promise<void> {
    await this.dataSource.query(DELETE_OLD);
    await this.dataSource.query(
      `DELETE FROM unpublished_events u WHERE u.failures > 0 AND NOT EXISTS (SELECT FROM events e WHERE e.id = u.event_id)`,
    );
  }

  /** Returns how many subscribers are sent a publication about these monitors now. */
  async countRecipients(teamId: TeamId, monitorIds: readonly string[]): Promise<number> {
    const [row]: { count: number }[] = await this.dataSource.query(
      `WITH shown AS (${SHOWN}) SELECT count(*)::int AS count FROM shown m JOIN ${RECIPIENTS}`,
      [teamId, monitorIds, null],
    );
    return row!.count;
  }

  private async publishEvent(tx: Tx, eventId: string): Promise<void> {
    const manager = managerOf(tx);
    const claimed: [unknown[], number] = await manager.query(
      `DELETE FROM unpublished_events WHERE event_id IN (
         SELECT event_id FROM unpublished_events WHERE event_id = $1 FOR UPDATE SKIP LOCKED)`,
      [eventId],
    );
    if (claimed[1] === 0) return;
    const [row]: EventRow[] = await manager.query(
      `SELECT e.id, e.team_id, e.type, e.occurred_at, e.resource_id, e.resource_name, e.data, now() AS now, ${TITLE}
       FROM events e
       LEFT JOIN incidents i ON i.id = CASE WHEN e.resource_type = 'incident' THEN e.resource_id::uuid END
       WHERE e.id = $1`,
      [eventId],
    );
    if (!row) return;
    const content = publicationOf(
      {
        type: row.type,
        occurredAt: row.occurred_at.toISOString(),
        resource: { id: row.resource_id, name: row.resource_name },
        data: row.data,
      },
      row.title,
      row.now.getTime(),
    );
    // Without a mail server it is not kept for later: by the time there is one, it is old news.
    if (!content || !this.mail.canSend) return;
    if (ANNOUNCING.has(content.state) && !(await isAnnounced(tx, content.subjectId))) return;
    if (content.state === 'cancelled') return cancel(tx, `event:${row.id}`, content);
    const { monitorIds = [], tags = [] } = row.data as { monitorIds?: string[]; tags?: string[] };
    const affected = await this.selections.members(row.team_id, { monitorIds, tags }, tx);
    const publication = { teamId: row.team_id, statusPageId: null, source: `event:${row.id}`, content };
    await this.insert(tx, { ...publication, monitorIds: affected });
  }

  private async insert(
    tx: Tx,
    { teamId, statusPageId, source, endOf, content, monitorIds }: NewPublication,
  ): Promise<void> {
    const parameters = [teamId, monitorIds, statusPageId, source, JSON.stringify(content)];
    if (endOf === undefined) await managerOf(tx).query(PUBLISH, parameters);
    else await managerOf(tx).query(PUBLISH_END, [...parameters, endOf]);
  }
}

const ANNOUNCING: ReadonlySet<PublicationState> = new Set<PublicationState>(['scheduled', 'rescheduled']);

/** Returns whether a maintenance window is still to be announced: it may have been deleted or made private meanwhile. */
async function isAnnounced(tx: Tx, windowId: string): Promise<boolean> {
  const sql = 'SELECT FROM maintenance_windows WHERE id = $1 AND public AND notify_subscribers';
  const rows: unknown[] = await managerOf(tx).query(sql, [windowId]);
  return rows.length > 0;
}

/** Tells those who were sent the announcement of maintenance that it is cancelled. Nobody else is sent either. */
async function cancel(tx: Tx, source: string, content: PublicationContent): Promise<void> {
  await managerOf(tx).query(WITHDRAW, [content.subjectId]);
  await managerOf(tx).query(CANCEL, [content.subjectId, source, JSON.stringify(content)]);
}

interface DetectedRow {
  team_id: string;
  status_page_id: string;
  incident_id: string;
  title: string | null;
  episode: number;
  at: Date;
  monitor_ids: string[];
}

/** SQL: how often a page `p` has announced an incident, and its end. */
const announced = (incidentId: string): string => `
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE s.content ->> 'state' = 'detected')::int AS begun,
      count(*) FILTER (WHERE s.content ->> 'state' = 'recovered')::int AS over
    FROM subscriber_publications s
    WHERE s.content ->> 'subjectId' = ${incidentId} AND s.status_page_id = p.id AND s.source NOT LIKE 'event:%') AS told`;
const MONITORS = `ARRAY(SELECT im.monitor_id FROM incident_monitors im WHERE im.incident_id = i.id) AS monitor_ids`;
/** The present title of an incident `i`, unless it is the default one. An earlier one may have named a monitor. */
const TITLE = `CASE WHEN i.own_title THEN i.title END AS title`;

/** Incidents of dependent monitors are not announced on their own. Withdrawn incidents have no outages. */
const BEGUN = `
  SELECT DISTINCT i.team_id, p.id AS status_page_id, i.id AS incident_id, ${TITLE}, told.begun AS episode,
    i.started_at AS at, ${MONITORS}
  FROM status_pages p JOIN status_page_components c ON c.status_page_id = p.id
  JOIN incident_monitors shown ON shown.monitor_id = c.monitor_id JOIN incidents i ON i.id = shown.incident_id
  ${announced('i.id::text')}
  WHERE p.announce_detected AND p.published AND i.kind = 'detected' AND i.resolved_at IS NULL AND i.outage_count > 0
    AND i.parent_incident_id IS NULL
    AND i.confirmed_at <= now() - p.announce_after_seconds * interval '1 second'
    AND told.begun = told.over`;

/**
 * If late results show that an incident did not happen, it is deleted, unless anybody in the team was notified of it; that
 * can be 48 hours after it was announced. Ends from before a page was published again are old news.
 */
const OVER = `
  SELECT DISTINCT d.team_id, p.id AS status_page_id, d.content ->> 'subjectId' AS incident_id, ${TITLE},
    told.over AS episode, coalesce(i.resolved_at, now()) AS at, ${MONITORS}
  FROM subscriber_publications d JOIN status_pages p ON p.id = d.status_page_id
  LEFT JOIN incidents i ON i.id = (d.content ->> 'subjectId')::uuid
  ${announced(`d.content ->> 'subjectId'`)}
  WHERE d.content ->> 'state' = 'detected' AND (i.id IS NULL OR i.resolved_at IS NOT NULL OR i.outage_count = 0)
    AND p.published AND coalesce(i.updated_at, d.published_at + interval '48 hours') > now() - interval '24 hours'
    AND told.begun > told.over`;

function announcementOf(row: DetectedRow, state: 'detected' | 'recovered'): NewPublication {
  const sourceOf = (one: 'detected' | 'recovered'): string => `${one}:${row.incident_id}:${row.episode}`;
  return {
    teamId: row.team_id,
    statusPageId: row.status_page_id,
    source: sourceOf(state),
    ...(state === 'recovered' && { endOf: sourceOf('detected') }),
    monitorIds: row.monitor_ids,
    content: {
      kind: 'incident',
      subjectId: row.incident_id,
      state,
      title: row.title,
      text: null,
      at: row.at.toISOString(),
      startsAt: null,
      endsAt: null,
    },
  };
}
