import { Injectable } from '@nestjs/common';
import { managerOf, Transactions, type Tx } from '../../database/tx.js';
import { type ExpiryVerdict, judgeExpiry, validUntil } from '../../domain/expiry.js';
import { groupBy } from '../../domain/group-by.js';
import { SYSTEM_ACTOR } from '../../http/auth/actor.js';
import { EventLog } from '../events/event-log.service.js';
import { type NewEvent } from '../events/new-event.types.js';

/** Maximum number of registrations per transaction. */
const BATCH = 100;
/** SQL condition: a registration may have reached a threshold by `$1`. */
export const DOMAINS_DUE = 'EXISTS (SELECT FROM domain_registrations WHERE due_at <= $1)';

/** The registration of a domain, as one of the monitors of its team sees it. */
interface DueRegistration {
  monitor_id: string;
  team_id: string;
  domain: string;
  registrar: string | null;
  expires_at: Date;
  raised_days: number | null;
  /** Whether the monitor is checked. */
  is_watched: boolean;
}

/** Records that the registrations of domains expire soon. */
@Injectable()
export class ExpiringDomainsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventLog,
  ) {}

  /**
   * Records `domain.expiring` for some of the registrations that have reached a threshold: once for each, whichever of
   * the team's monitors see it. The next call handles the rest.
   */
  async sweep(nowMs: number): Promise<void> {
    await this.transactions.run((tx) => this.raiseSome(tx, nowMs));
  }

  private async raiseSome(tx: Tx, nowMs: number): Promise<void> {
    const rows: DueRegistration[] = await managerOf(tx).query(
      `WITH due AS (SELECT DISTINCT team_id, domain, expires_at FROM domain_registrations WHERE due_at <= $1 LIMIT ${BATCH})
       SELECT d.monitor_id, d.team_id, d.domain, d.registrar, d.expires_at, d.raised_days,
         m.paused_at IS NULL AND (m.resumed_at IS NULL OR d.read_at >= m.resumed_at) AS is_watched
       FROM due JOIN domain_registrations d USING (team_id, domain, expires_at) JOIN monitors m ON m.id = d.monitor_id
       ORDER BY d.monitor_id FOR UPDATE OF d`,
      [new Date(nowMs)],
    );
    const registrations = [
      ...groupBy(rows, (row) => `${row.team_id}/${row.domain}/${row.expires_at.getTime()}`).values(),
    ];
    const verdicts = registrations.map((seen) => judge(seen, nowMs));
    const notices = registrations.flatMap((seen, index) => {
      const { notifyDays } = verdicts[index]!;
      return notifyDays === null ? [] : [expiringEvent(seen, notifyDays)];
    });
    await this.events.record(tx, notices);
    const judged = registrations.flatMap((seen, index) => seen.map((row) => ({ row, verdict: verdicts[index]! })));
    await managerOf(tx).query(
      `UPDATE domain_registrations d SET raised_days = t.raised_days, due_at = t.due_at
       FROM unnest($1::uuid[], $2::int[], $3::timestamptz[]) AS t (monitor_id, raised_days, due_at)
       WHERE d.monitor_id = t.monitor_id`,
      [
        judged.map(({ row }) => row.monitor_id),
        judged.map(({ verdict }) => verdict.raisedDays),
        judged.map(({ verdict: { dueAtMs } }) => (dueAtMs === null ? null : new Date(dueAtMs))),
      ],
    );
  }
}

/** @param seen one registration, by each of the monitors that see it */
function judge(seen: readonly DueRegistration[], nowMs: number): ExpiryVerdict {
  const raised = seen.flatMap((row) => row.raised_days ?? []);
  const validity = validUntil(seen[0]!.expires_at.getTime());
  const isWatched = seen.some((row) => row.is_watched);
  return judgeExpiry(validity, raised.length > 0 ? Math.min(...raised) : null, isWatched, nowMs);
}

function expiringEvent(seen: readonly DueRegistration[], thresholdDays: number): NewEvent {
  const { team_id: teamId, domain, registrar, expires_at: expiresAt } = seen[0]!;
  return {
    type: 'domain.expiring',
    teamId,
    resource: { type: 'domain', id: domain, name: domain },
    data: {
      thresholdDays,
      domain,
      registrar,
      expiresAt: expiresAt.toISOString(),
      monitorIds: seen.flatMap((row) => (row.is_watched ? [row.monitor_id] : [])),
    },
    actor: SYSTEM_ACTOR,
  };
}
