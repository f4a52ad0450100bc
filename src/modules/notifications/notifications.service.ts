import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { managerOf, Transactions, type Tx } from '../../database/tx.js';
import { type TeamId } from '../../http/auth/principal.js';
import { expectNoFields } from '../../http/body/validation.js';
import { KEEPS_NOTHING, type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { KeysetLists, newestFirst } from '../../http/lists/keyset-lists.js';
import { Page, type PageQueryDto } from '../../http/lists/page.js';
import { notFound, ProblemException } from '../../http/problems/problem.js';
import { SlotClockService } from '../checker/slot-clock.service.js';
import { IncidentsService } from '../incidents/incidents.service.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { AlertStore } from './alert-store.service.js';
import { type ListNotificationsDto } from './dto/list-notifications.dto.js';
import { type NotificationDto } from './dto/notification.dto.js';
import { Notification } from './notification.entity.js';
import { toNotificationDto } from './notification.mapper.js';
import { NotificationTimer } from './notification-timer.entity.js';
import { NotificationWorker } from './notification-worker.service.js';
import { GIVE_UP_MS } from './plan-store.service.js';

interface Filters {
  [name: string]: string | undefined;
  status?: string;
  channelId?: string;
  policyId?: string;
  incidentId?: string;
  monitorId?: string;
  from?: string;
  to?: string;
}

const ORDER = newestFirst<Notification>('n', 'created_at', (row) => row.createdAt);
const COLUMNS = {
  status: 'status',
  channelId: 'channel_id',
  policyId: 'policy_id',
  incidentId: 'incident_id',
} as const;

/** Reads notifications for callers, and retries them. */
@Injectable()
export class NotificationsService {
  constructor(
    @InjectRepository(Notification) private readonly notifications: Repository<Notification>,
    private readonly monitors: MonitorsService,
    private readonly incidents: IncidentsService,
    private readonly transactions: Transactions,
    private readonly lists: KeysetLists,
    private readonly alerts: AlertStore,
    private readonly worker: NotificationWorker,
    private readonly clock: SlotClockService,
  ) {}

  /** Lists notifications, newest first. @throws 400 `invalid_cursor` */
  async list(teamId: TeamId, query: ListNotificationsDto): Promise<Page<NotificationDto>> {
    const { status, channelId, policyId, incidentId, monitorId, from, to } = query;
    const given = { status, channelId, policyId, incidentId, monitorId, from, to };
    return this.page(teamId, 'notifications', query, given);
  }

  /** Lists the notifications about an incident, newest first. @throws 404, 400 `invalid_cursor` */
  async listOf(teamId: TeamId, address: string, query: PageQueryDto): Promise<Page<NotificationDto>> {
    const { id } = await this.incidents.find(teamId, address);
    return this.page(teamId, `notifications/${id}`, query, {}, id);
  }

  /** @throws 404 */
  async get(teamId: TeamId, id: string): Promise<NotificationDto> {
    const row = isUuid(id) ? await this.notifications.findOneBy({ teamId, id }) : null;
    if (!row) throw notFound();
    const [shown] = await this.shown([row]);
    return shown!;
  }

  /**
   * Lets a notification that has failed, or waits for its next attempt, be sent at once, and returns it. If it has failed
   * and its alert is over, the channel is notified of the end instead.
   * @throws 404, 409 if it was sent, or is not to be sent
   */
  async retry(
    teamId: TeamId,
    id: string,
    body: unknown,
    keep: KeepAnswer = KEEPS_NOTHING,
    nowMs = this.clock.now(),
  ): Promise<NotificationDto> {
    const answer = await this.transactions.run(async (tx) => {
      const manager = managerOf(tx);
      const found = isUuid(id) ? await manager.findOneBy(Notification, { teamId, id }) : null;
      if (!found) throw notFound();
      expectNoFields(body);
      await this.alerts.lockAlert(tx, found.alertKey);
      const asked = await manager.findOneByOrFail(Notification, { teamId, id });
      const row = await this.endInsteadOf(tx, asked);
      if (row.status !== 'failed' && row.status !== 'pending') {
        const subject = row.id === id ? 'The notification' : 'The alert has ended, and the notification of its end';
        throw new ProblemException(409, 'conflict', `${subject} is ${row.status}; there is nothing to retry.`);
      }
      const now = new Date(nowMs);
      const giveUpAt = new Date(nowMs + GIVE_UP_MS);
      // All notifications of a message are sent together.
      const members = row.messageId === null ? { id: row.id } : { messageId: row.messageId };
      const changes = { status: 'pending', settled: false, nextAttemptAt: now, giveUpAt } as const;
      await manager.update(Notification, { teamId, ...members }, changes);
      // Claims of channels that were deleted, and of the owners' email, do not outlive what was planned for them.
      await manager.query(
        `INSERT INTO notification_channel_claims (channel_id, team_id) VALUES ($1, $2)
         ON CONFLICT (channel_id) DO UPDATE SET blocked_until = NULL`,
        [row.channelId, teamId],
      );
      const [shown] = await this.shown([{ ...row, ...changes }]);
      await keep.in(tx, shown!);
      return shown!;
    });
    this.worker.send();
    return answer;
  }

  /**
   * Returns what is sent in place of a failed notification: the end of its alert on the same channel, once that is over,
   * because a trigger would open it again at a provider. Returns any other notification itself.
   * @throws 409 if the alert is over, and the channel need not be notified of that
   */
  private async endInsteadOf(tx: Tx, failed: Notification): Promise<Notification> {
    const { status, kind, alertKey, channelId } = failed;
    // The end of a notice is reported to nobody.
    if (status !== 'failed' || kind === 'notice' || channelId === null) return failed;
    const timer = await managerOf(tx).findOneBy(NotificationTimer, { alertKey });
    if (!timer?.closedAt) return failed;
    const ends = await managerOf(tx).findBy(Notification, { alertKey, channelId, kind: In(['resolve', 'correction']) });
    const end = ends.find((one) => one.kind === 'correction') ?? ends[0];
    if (!end) throw new ProblemException(409, 'conflict', 'The alert has ended; there is nothing to retry.');
    return end;
  }

  private async page(
    teamId: TeamId,
    list: string,
    query: PageQueryDto,
    given: Filters,
    incidentId?: string,
  ): Promise<Page<NotificationDto>> {
    const page = await this.lists.page({ teamId, list }, query, given, {
      read: async (filters, after, count) => {
        const rows = this.notifications.createQueryBuilder('n').where('n.team_id = :teamId', { teamId });
        if (incidentId !== undefined) rows.andWhere('n.incident_id = :of', { of: incidentId });
        for (const [name, column] of Object.entries(COLUMNS)) {
          if (filters[name] !== undefined) rows.andWhere(`n.${column} = :${name}`, { [name]: filters[name] });
        }
        if (filters.from !== undefined) rows.andWhere('n.created_at >= :from', { from: filters.from });
        if (filters.to !== undefined) rows.andWhere('n.created_at < :to', { to: filters.to });
        if (filters.monitorId !== undefined) {
          const monitor = await this.monitors.findOrNull(teamId, filters.monitorId);
          // A deleted monitor is still found by its id.
          const id = monitor?.id ?? (isUuid(filters.monitorId) ? filters.monitorId : null);
          if (id === null) return [];
          rows.andWhere(':monitor = ANY(n.monitor_ids)', { monitor: id });
        }
        return ORDER.apply(rows, after, count).getMany();
      },
      keyOf: (row) => ORDER.keyOf(row),
    });
    return new Page(await this.shown(page.rows), page.nextCursor);
  }

  private async shown(rows: readonly Notification[]): Promise<NotificationDto[]> {
    const keys = rows.flatMap(({ collectedInto }) => collectedInto ?? []);
    const named =
      keys.length === 0
        ? []
        : await this.notifications.find({ select: { id: true, key: true }, where: { key: In(keys) } });
    const ids = new Map(named.map(({ id, key }) => [key, id]));
    return rows.map((row) => toNotificationDto(row, ids));
  }
}
