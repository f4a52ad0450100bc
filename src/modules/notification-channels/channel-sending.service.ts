import { Injectable } from '@nestjs/common';
import { type Delivery } from '../../channels/channel.js';
import { deliver } from '../../channels/deliver.js';
import { channelOf } from '../../channels/index.js';
import { type MessageFacts } from '../../channels/message.js';
import { composeMessage } from '../../channels/wording.js';
import { type TeamId } from '../../http/auth/principal.js';
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

/** Sends messages through notification channels. */
@Injectable()
export class ChannelSendingService {
  constructor(
    private readonly channels: NotificationChannelsService,
    private readonly means: ChannelMeansService,
    private readonly secrets: ChannelSecretsService,
    private readonly owners: OwnersMail,
  ) {}

  /**
   * Returns what makes one attempt to send a message through a channel, also a disabled one, without recording anything.
   * With a channel that was deleted, it fails permanently. The id of the team stands for the email of its owners.
   */
  async open(teamId: TeamId, channelId: string): Promise<(facts: MessageFacts) => Promise<Delivery>> {
    if (channelId === teamId) return (facts) => this.owners.send(teamId, facts);
    const channel = await this.channels.findOrNull(teamId, channelId);
    if (!channel) return () => Promise.resolve(failed('The channel was deleted.'));
    return async (facts) => (await this.attempt(channel, facts)).delivery;
  }

  /** Makes one attempt to send a message, without recording anything. */
  async attempt({ type, settings }: NotificationChannel, facts: MessageFacts): Promise<Attempt> {
    const at = new Date();
    const startedMs = performance.now();
    const delivery = await this.deliver(type, settings, facts);
    return { delivery, at, durationMs: Math.round(performance.now() - startedMs) };
  }

  private async deliver(
    type: string,
    settings: NotificationChannel['settings'],
    facts: MessageFacts,
  ): Promise<Delivery> {
    const definition = channelOf(type);
    if (!definition) return failed(`This version of Daywatch has no channels of type ${type}.`);
    const fields = this.secrets.open(type, settings);
    const timeZone = definition.timeZone?.(fields) ?? facts.timeZone;
    return deliver(definition, composeMessage({ ...facts, timeZone }), fields, this.means.means);
  }
}

function failed(error: string): Delivery {
  return { status: 'failed', permanent: true, retryAfterMs: null, statusCode: null, error };
}
