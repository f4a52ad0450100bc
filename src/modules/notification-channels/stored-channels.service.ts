import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { managerOf, type Tx } from '../../database/tx.js';
import { type TeamId } from '../../http/auth/principal.js';
import { itemAddress } from '../../http/items/item-address.js';
import { ChannelDirectory, type NamedChannel } from '../notification-policies/channel-directory.service.js';
import { NotificationChannel } from './notification-channel.entity.js';

/** Finds the stored channels for policies. */
@Injectable()
export class StoredChannels extends ChannelDirectory {
  constructor(@InjectRepository(NotificationChannel) private readonly channels: Repository<NotificationChannel>) {
    super();
  }

  async resolve(teamId: TeamId, addresses: readonly string[]): Promise<Map<string, NamedChannel>> {
    const items = addresses.flatMap((address) => {
      const item = itemAddress(address);
      return item ? [{ address, item }] : [];
    });
    const ids = items.flatMap(({ item }) => ('id' in item ? [item.id] : []));
    const keys = items.flatMap(({ item }) => ('key' in item ? [item.key] : []));
    const rows = await this.channels.findBy([
      { teamId, id: In(ids) },
      { teamId, key: In(keys) },
    ]);
    return new Map(
      items.flatMap(({ address, item }): [string, NamedChannel][] => {
        const found = rows.find((row) => ('id' in item ? row.id === item.id.toLowerCase() : row.key === item.key));
        return found ? [[address, found]] : [];
      }),
    );
  }

  all(teamId: TeamId, tx?: Tx): Promise<NamedChannel[]> {
    const channels = tx ? managerOf(tx).getRepository(NotificationChannel) : this.channels;
    return channels.find({ where: { teamId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  async hold(tx: Tx, teamId: TeamId, ids: readonly string[]): Promise<boolean> {
    const sorted = [...new Set(ids)].sort();
    const held: unknown[] = await managerOf(tx).query(
      `SELECT id FROM notification_channels WHERE team_id = $1 AND id = ANY($2::uuid[]) ORDER BY id FOR KEY SHARE`,
      [teamId, sorted],
    );
    return held.length === sorted.length;
  }
}
