import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { entityColumns } from '../../database/entity-columns.js';
import { GatheredReads } from '../../database/gathered-reads.js';
import { managerOf, type Tx } from '../../database/tx.js';
import { type CheckError } from '../../domain/check-result.js';
import { HOLD_GRACE_MS, type LocationState } from '../../domain/monitor-state.js';
import { type ItemAddress } from '../../http/items/item-address.js';
import { type TeamId } from '../../http/auth/principal.js';
import { notifiedCondition } from '../notification-policies/notified-monitors.query.js';
import { Monitor } from './definition/monitor.entity.js';
import { type MonitorCertificateDto, type MonitorRegistrationDto } from './dto/monitor.dto.js';
import { type MonitorView } from './monitor.mapper.js';

/** The id or key of a monitor, and its team. */
interface Named {
  teamId: TeamId;
  name: string;
}

/** The state of a monitor over all its locations, as `STATE_COLUMNS` selects it, and whether anybody is notified. */
export interface StateRecord {
  status: string;
  verifying: string | null;
  status_since: Date;
  last_check_at: Date | null;
  last_error: CheckError | null;
  folds: LocationState[] | null;
  partial_outage_locations: string[] | null;
  certificate: MonitorCertificateDto | null;
  registration: MonitorRegistrationDto | null;
  due_at: Date | null;
  notified: boolean;
}

/**
 * Columns for SELECT from `monitors m` and its `monitor_states s`. PostgreSQL computes those of subqueries only for the
 * rows that remain after sorting and LIMIT, which it would not do for a join.
 */
export const STATE_COLUMNS = `s.status, s.verifying, s.status_since,
  (SELECT max(last_check_at) FROM location_states WHERE monitor_id = m.id) AS last_check_at,
  (SELECT fold->'lastError' FROM location_states
   WHERE monitor_id = m.id AND location = ANY(m.locations) AND jsonb_typeof(fold->'lastError') = 'object'
   ORDER BY last_check_at DESC LIMIT 1) AS last_error,
  CASE WHEN s.verifying IS NOT NULL
    THEN (SELECT jsonb_agg(fold) FROM location_states
          WHERE monitor_id = m.id AND location = ANY(m.locations)) END AS folds,
  CASE WHEN s.status = 'degraded' AND cardinality(m.locations) > 1
    THEN (SELECT array_agg(location ORDER BY location) FROM location_states
          WHERE monitor_id = m.id AND location = ANY(m.locations) AND fold->>'status' = 'down'
            AND holds_until >= now() - interval '${HOLD_GRACE_MS} ms' AND location NOT IN (
              SELECT key FROM locations WHERE NOT enabled OR voteless_since IS NOT NULL)) END AS partial_outage_locations,
  (SELECT jsonb_build_object('fingerprint', c.fingerprint, 'subject', nullif(c.subject, ''), 'issuer', nullif(c.issuer, ''),
     'validFrom', c.valid_from, 'validUntil', c.valid_until, 'readAt', seen.read_at)
   FROM monitor_certificates seen JOIN certificates c USING (team_id, fingerprint)
   WHERE seen.monitor_id = m.id) AS certificate,
  (SELECT jsonb_build_object('domain', domain, 'registrar', registrar, 'expiresAt', expires_at, 'readAt', read_at)
   FROM domain_registrations WHERE monitor_id = m.id) AS registration,
  (SELECT due_at FROM heartbeats WHERE monitor_id = m.id) AS due_at`;

/** Reads monitors with their current states. */
@Injectable()
export class MonitorReaderService {
  private readonly byId = new GatheredReads((named: readonly Named[]) => this.read(named, 'id', 'uuid'));
  private readonly byKey = new GatheredReads((named: readonly Named[]) => this.read(named, 'key', 'text'));

  constructor(@InjectRepository(Monitor) private readonly monitors: Repository<Monitor>) {}

  /** Returns `null` if the team has no such monitor. */
  find(teamId: TeamId, item: ItemAddress): Promise<MonitorView | null> {
    return 'id' in item ? this.byId.get({ teamId, name: item.id }) : this.byKey.get({ teamId, name: item.key });
  }

  /** Returns a monitor as the transaction sees it, or `null` if the team has no such monitor. */
  async findIn(tx: Tx, teamId: TeamId, id: string): Promise<MonitorView | null> {
    const [view = null] = await this.read([{ teamId, name: id }], 'id', 'uuid', managerOf(tx));
    return view;
  }

  private async read(
    named: readonly Named[],
    column: 'id' | 'key',
    type: 'uuid' | 'text',
    database: Pick<EntityManager, 'query'> = this.monitors,
  ): Promise<(MonitorView | null)[]> {
    const rows: (StateRecord & Monitor & { place: number })[] = await database.query(
      `SELECT t.place::int, ${STATE_COLUMNS}, ${notifiedCondition('m.team_id')} AS notified, ${entityColumns(this.monitors.metadata, 'm')}
       FROM unnest($1::uuid[], $2::${type}[]) WITH ORDINALITY AS t (team_id, name, place)
       JOIN monitors m ON m.team_id = t.team_id AND m.${column} = t.name
       JOIN monitor_states s ON s.monitor_id = m.id`,
      [named.map(({ teamId }) => teamId), named.map(({ name }) => name)],
    );
    const views = named.map((): MonitorView | null => null);
    for (const row of rows) views[row.place - 1] = viewOf(row);
    return views;
  }
}

/** Returns the view in a row of the columns of the entity, `STATE_COLUMNS` and `notified`. */
export function viewOf(row: Monitor & StateRecord): MonitorView {
  return {
    monitor: row,
    state: { status: row.status, verifying: row.verifying, statusSince: row.status_since },
    lastCheckAt: row.last_check_at,
    lastError: row.last_error,
    certificate: row.certificate,
    registration: row.registration,
    unconfirmed: row.folds ?? [],
    partialOutageLocations: row.partial_outage_locations ?? [],
    dueAt: row.due_at,
    notified: row.notified,
  };
}
