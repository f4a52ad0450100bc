import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { managerOf, type Tx } from '../../database/tx.js';
import { type TeamId } from '../../http/auth/principal.js';
import { itemAddress } from '../../http/items/item-address.js';
import { KeysetLists, newestFirst } from '../../http/lists/keyset-lists.js';
import { Page } from '../../http/lists/page.js';
import { notFound } from '../../http/problems/problem.js';
import { type ListNotificationChannelsDto, type NotificationChannelDto } from './dto/notification-channel.dto.js';
import { NotificationChannel } from './notification-channel.entity.js';
import { toChannelDto } from './notification-channel.mapper.js';

interface Filters {
  [name: string]: string | boolean | undefined;
  key?: string;
  type?: string;
  enabled?: boolean;
}

const ORDER = newestFirst<NotificationChannel>('c', 'created_at', (row) => row.createdAt);

/** Reads notification channels. `NotificationChannelWritesService` writes them. */
@Injectable()
export class NotificationChannelsService {
  constructor(
    @InjectRepository(NotificationChannel) private readonly channels: Repository<NotificationChannel>,
    private readonly lists: KeysetLists,
  ) {}

  /** Lists notification channels, newest first. @throws 400 `invalid_cursor` */
  async list(teamId: TeamId, query: ListNotificationChannelsDto): Promise<Page<NotificationChannelDto>> {
    const { key, type, enabled } = query;
    const given: Filters = { key, type, enabled };
    const page = await this.lists.page({ teamId, list: 'notification-channels' }, query, given, {
      read: (filters, after, count) => {
        const rows = this.channels.createQueryBuilder('c').where('c.team_id = :teamId', { teamId });
        if (filters.key !== undefined) rows.andWhere('c.key = :key', { key: filters.key });
        if (filters.type !== undefined) rows.andWhere('c.type = :type', { type: filters.type });
        if (filters.enabled !== undefined) rows.andWhere('c.enabled = :enabled', { enabled: filters.enabled });
        return ORDER.apply(rows, after, count).getMany();
      },
      keyOf: (row) => ORDER.keyOf(row),
    });
    return new Page(
      page.rows.map((row) => toChannelDto(row)),
      page.nextCursor,
    );
  }

  /** Returns a channel with its secrets masked. @throws 404 */
  async get(teamId: TeamId, address: string): Promise<NotificationChannelDto> {
    return toChannelDto(await this.find(teamId, address));
  }

  /** Returns the channel at an address. @throws 404 */
  async find(teamId: TeamId, address: string): Promise<NotificationChannel> {
    const channel = await this.findOrNull(teamId, address);
    if (!channel) throw notFound();
    return channel;
  }

  async findOrNull(teamId: TeamId, address: string): Promise<NotificationChannel | null> {
    const item = itemAddress(address);
    return item && this.channels.findOneBy({ teamId, ...item });
  }

  /** Returns the channels of the team among these ids. */
  async named(teamId: TeamId, ids: readonly string[]): Promise<Map<string, { name: string }>> {
    if (ids.length === 0) return new Map();
    const rows = await this.channels.find({ select: { id: true, name: true }, where: { teamId, id: In([...ids]) } });
    return new Map(rows.map(({ id, name }) => [id, { name }]));
  }

  /** Returns a channel and locks it until the end of the transaction. @throws 404 */
  async lock(tx: Tx, teamId: TeamId, id: string): Promise<NotificationChannel> {
    const where = { id, teamId };
    const lock = { mode: 'pessimistic_write' } as const;
    const channel = await managerOf(tx).findOne(NotificationChannel, { where, lock });
    if (!channel) throw notFound();
    return channel;
  }
}
