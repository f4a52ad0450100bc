import { Injectable } from '@nestjs/common';
import { type Delivery } from '../../channels/delivery.js';
import { managerOf, type Tx } from '../../database/tx.js';
import { SYSTEM_ACTOR } from '../../http/auth/actor.js';
import { EventLog } from '../events/event-log.service.js';
import { channelEvent } from './channel-events.js';
import { NotificationChannel } from './notification-channel.entity.js';

type ChannelAddress = Pick<NotificationChannel, 'id' | 'teamId'>;

/** Records whether notification channels work. */
@Injectable()
export class ChannelHealthService {
  constructor(private readonly events: EventLog) {}

  /**
   * Records the health of a channel after attempts that were made at the same time, with an event if it began or ceased
   * to fail. It fails if one of them did. The actor of the event is the service, because the
   * request that triggered the sending may belong to another team.
   */
  async record(tx: Tx, where: ChannelAddress, at: Date, deliveries: readonly Delivery[]): Promise<void> {
    const manager = managerOf(tx);
    const channel = await manager.findOne(NotificationChannel, { where, lock: { mode: 'pessimistic_write' } });
    if (!channel) return;
    const { failingSince } = channel;
    const failure = deliveries.find((one) => one.status === 'failed');
    const sent = deliveries.some(({ status }) => status === 'sent') ? { lastSentAt: at } : {};
    if (!failure) {
      await manager.update(NotificationChannel, where, { ...sent, lastError: null, failingSince: null });
      if (failingSince === null) return;
      const data = { failingSince: failingSince.toISOString() };
      return this.events.record(tx, [{ ...channelEvent('channel.recovered', channel, { data }), actor: SYSTEM_ACTOR }]);
    }
    const { error, permanent } = failure;
    const failed = { lastFailedAt: at, lastError: error, failingSince: failingSince ?? at };
    await manager.update(NotificationChannel, where, { ...sent, ...failed });
    if (failingSince !== null) return;
    const event = channelEvent('channel.failing', channel, { data: { error, permanent } });
    await this.events.record(tx, [{ ...event, actor: SYSTEM_ACTOR }]);
  }
}
