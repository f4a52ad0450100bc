import { Injectable } from '@nestjs/common';
import { type Delivery } from '../../channels/channel.js';
import { deliver } from '../../channels/deliver.js';
import { channelOf } from '../../channels/index.js';
import { type MessageFacts } from '../../channels/message.js';
import { composeMessage } from '../../channels/wording.js';
import { managerOf, Transactions, type Tx } from '../../database/tx.js';
import { type TeamId } from '../../http/auth/principal.js';
import { EventLog } from '../events/event-log.service.js';
import { channelEvent } from './channel-events.js';
import { ChannelMeansService } from './channel-means.service.js';
import { ChannelSecretsService } from './channel-secrets.service.js';
import { NotificationChannel } from './notification-channel.entity.js';
import { NotificationChannelsService } from './notification-channels.service.js';
import { OwnersMail } from './owners-mail.service.js';

/** An attempt to send a message. */
export interface Attempt {
  delivery: Delivery;
  at: Date;
  durationMs: number;
}

/** Sends messages through notification channels, and records whether that works. */
@Injectable()
export class ChannelSendingService {
  constructor(
    private readonly channels: NotificationChannelsService,
    private readonly means: ChannelMeansService,
    private readonly secrets: ChannelSecretsService,
    private readonly transactions: Transactions,
    private readonly events: EventLog,
    private readonly owners: OwnersMail,
  ) {}

  /**
   * Makes one attempt to send a message, also through a disabled channel, and records the health of the channel. A
   * channel that was deleted counts as a permanent failure. The id of the team stands for the email of its owners.
   * Rejects only while the database is away.
   */
  async send(teamId: TeamId, channelId: string, facts: MessageFacts): Promise<Delivery> {
    if (channelId === teamId) return this.owners.send(teamId, facts);
    const channel = await this.channels.findOrNull(teamId, channelId);
    if (!channel) return failed('The channel was deleted.');
    const attempt = await this.attempt(channel, facts);
    await this.transactions.run((tx) => this.record(tx, channel, attempt));
    return attempt.delivery;
  }

  /** Makes one attempt to send a message, without recording anything. */
  async attempt({ type, settings }: NotificationChannel, facts: MessageFacts): Promise<Attempt> {
    const at = new Date();
    const startedMs = performance.now();
    const definition = channelOf(type);
    const delivery = definition
      ? await deliver(definition, composeMessage(facts), this.secrets.open(type, settings), this.means.means)
      : failed(`This version of Daywatch has no channels of type ${type}.`);
    return { delivery, at, durationMs: Math.round(performance.now() - startedMs) };
  }

  /** Records the health of a channel after an attempt, with an event if it began or ceased to fail. */
  async record(tx: Tx, { id, teamId }: NotificationChannel, { delivery, at }: Attempt): Promise<void> {
    const where = { id, teamId };
    const manager = managerOf(tx);
    const channel = await manager.findOne(NotificationChannel, { where, lock: { mode: 'pessimistic_write' } });
    if (!channel) return;
    if (delivery.status === 'sent') {
      await manager.update(NotificationChannel, where, { lastSentAt: at, lastError: null, failingSince: null });
      if (channel.failingSince !== null) {
        const data = { failingSince: channel.failingSince.toISOString() };
        await this.events.record(tx, [channelEvent('channel.recovered', channel, { data })]);
      }
      return;
    }
    const { error, permanent } = delivery;
    const failingSince = channel.failingSince ?? at;
    await manager.update(NotificationChannel, where, { lastFailedAt: at, lastError: error, failingSince });
    if (channel.failingSince === null) {
      await this.events.record(tx, [channelEvent('channel.failing', channel, { data: { error, permanent } })]);
    }
  }
}

function failed(error: string): Delivery {
  return { status: 'failed', permanent: true, retryAfterMs: null, statusCode: null, error };
}
