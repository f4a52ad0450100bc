import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { channelOf } from '../../channels/index.js';
import { managerOf, type Tx } from '../../database/tx.js';
import { type ChannelFacts } from '../../domain/notification-plan/facts.js';
import { matches } from '../../domain/notification-plan/matches.js';
import { type PolicyRule } from '../../domain/notification-plan/policy.js';
import { type TeamId } from '../../http/auth/principal.js';
import { itemAddress } from '../../http/items/item-address.js';
import { KeysetLists, newestFirst } from '../../http/lists/keyset-lists.js';
import { Page } from '../../http/lists/page.js';
import { notFound } from '../../http/problems/problem.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { type NamedChannel } from './channel-directory.service.js';
import { type MonitorPoliciesDto, type MonitorPolicyDto, type NotifiedChannelDto } from './dto/monitor-policy.dto.js';
import { type ListNotificationPoliciesDto, type NotificationPolicyDto } from './dto/notification-policy.dto.js';
import { NotificationPolicy } from './notification-policy.entity.js';
import { shownHours, toPolicyDto, toRule } from './notification-policy.mapper.js';
import { PolicyReferences } from './policy-references.service.js';

interface Filters {
  [name: string]: string | boolean | undefined;
  key?: string;
  enabled?: boolean;
}

/** What plans of a team's alerts depend on besides the alerts. */
export interface Alerting {
  rules: readonly PolicyRule[];
  channels: readonly (ChannelFacts & { type: string })[];
}

/** Channels as the API returns them, by id. */
export type TeamChannels = ReadonlyMap<string, NotifiedChannelDto>;

const ORDER = newestFirst<NotificationPolicy>('p', 'created_at', (row) => row.createdAt);

/** Reads notification policies. `NotificationPolicyWritesService` writes them. */
@Injectable()
export class NotificationPoliciesService {
  constructor(
    @InjectRepository(NotificationPolicy) private readonly policies: Repository<NotificationPolicy>,
    private readonly monitors: MonitorsService,
    private readonly references: PolicyReferences,
    private readonly lists: KeysetLists,
  ) {}

  /** Lists notification policies, newest first. @throws 400 `invalid_cursor` */
  async list(teamId: TeamId, query: ListNotificationPoliciesDto): Promise<Page<NotificationPolicyDto>> {
    const { key, enabled } = query;
    const given: Filters = { key, enabled };
    const page = await this.lists.page({ teamId, list: 'notification-policies' }, query, given, {
      read: (filters, after, count) => {
        const rows = this.policies.createQueryBuilder('p').where('p.team_id = :teamId', { teamId });
        if (filters.key !== undefined) rows.andWhere('p.key = :key', { key: filters.key });
        if (filters.enabled !== undefined) rows.andWhere('p.enabled = :enabled', { enabled: filters.enabled });
        return ORDER.apply(rows, after, count).getMany();
      },
      keyOf: (row) => ORDER.keyOf(row),
    });
    return new Page(await this.shown(teamId, page.rows), page.nextCursor);
  }

  /** Returns a policy. @throws 404 */
  async get(teamId: TeamId, address: string): Promise<NotificationPolicyDto> {
    const [shown] = await this.shown(teamId, [await this.find(teamId, address)]);
    return shown!;
  }

  /** Returns the policy at an address. @throws 404 */
  async find(teamId: TeamId, address: string): Promise<NotificationPolicy> {
    const policy = await this.findOrNull(teamId, address);
    if (!policy) throw notFound();
    return policy;
  }

  async findOrNull(teamId: TeamId, address: string): Promise<NotificationPolicy | null> {
    const item = itemAddress(address);
    return item && this.policies.findOneBy({ teamId, ...item });
  }

  /** Returns all policies of the team, oldest first. */
  all(teamId: TeamId, tx?: Tx): Promise<NotificationPolicy[]> {
    const policies = tx ? managerOf(tx).getRepository(NotificationPolicy) : this.policies;
    return policies.find({ where: { teamId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** Returns the names of the policies that use a channel, including uncommitted writes of this transaction. */
  async namesUsing(tx: Tx, teamId: TeamId, channelId: string): Promise<string[]> {
    const rows: { name: string }[] = await managerOf(tx).query(
      `SELECT name FROM notification_policies WHERE team_id = $1 AND steps @> $2::jsonb ORDER BY created_at, id`,
      [teamId, JSON.stringify([{ channelIds: [channelId] }])],
    );
    return rows.map(({ name }) => name);
  }

  /** Returns which policies apply to a monitor, and whom they notify. @throws 404 */
  async appliedTo(teamId: TeamId, address: string): Promise<MonitorPoliciesDto> {
    const monitor = await this.monitors.find(teamId, address);
    const [policies, channels] = await Promise.all([this.all(teamId), this.references.channels(teamId)]);
    const data = policies.filter(({ match }) => matches(match, monitor)).map((one) => toMonitorPolicy(one, channels));
    const notified = data.some(
      ({ enabled, on, steps }) =>
        enabled && on.includes('down') && steps.some((step) => step.channels.some((channel) => channel.enabled)),
    );
    return { data, notified };
  }

  /**
   * Returns what plans of the team's alerts depend on: its policies, and its channels with their types. A plan reads
   * them in its own transaction, after it has locked the alert, so that it does not use what was changed before.
   */
  async alerting(teamId: TeamId, tx?: Tx): Promise<Alerting> {
    const policies = await this.all(teamId, tx);
    const channels = await this.references.channels(teamId, tx);
    return {
      rules: policies.map(toRule),
      channels: [...channels.values()].map(({ id, type, enabled, failingSince }) => ({
        ...{ id, type, enabled },
        failingSince: failingSince?.getTime() ?? null,
        closesNotices: channelOf(type)?.audience === 'machines',
      })),
    };
  }

  /** Returns the channels of the team as the API returns them, by id. */
  async channels(teamId: TeamId): Promise<TeamChannels> {
    const channels = await this.references.channels(teamId);
    return new Map([...channels].map(([id, channel]) => [id, toNotifiedChannel(channel)]));
  }

  /** Returns policies as the API returns them. */
  async shown(teamId: TeamId, policies: readonly NotificationPolicy[], tx?: Tx): Promise<NotificationPolicyDto[]> {
    const matched = policies.map(({ match }) => match);
    const existing = await this.references.existing(teamId, matched, tx);
    return policies.map((policy) => toPolicyDto(policy, existing));
  }
}

function toMonitorPolicy(policy: NotificationPolicy, channels: ReadonlyMap<string, NamedChannel>): MonitorPolicyDto {
  const { id, key, name, enabled, events, repeatEverySeconds, quietHours } = policy;
  const steps = policy.steps.map(({ afterSeconds, channelIds }) => ({
    afterSeconds,
    channels: channelIds.flatMap((channelId) => {
      const channel = channels.get(channelId);
      return channel ? [toNotifiedChannel(channel)] : [];
    }),
  }));
  return { id, key, name, enabled, on: events, steps, repeatEverySeconds, quietHours: shownHours(quietHours) };
}

export function toNotifiedChannel({ id, key, name, type, enabled }: NamedChannel): NotifiedChannelDto {
  return { id, key, name, type, enabled };
}
