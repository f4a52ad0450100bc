import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { isUUID } from 'class-validator';
import { Repository } from 'typeorm';
import { type TeamId } from '../../http/auth/principal.js';
import { ChannelSecretsService } from './channel-secrets.service.js';
import { NotificationChannel } from './notification-channel.entity.js';

/** A channel whose provider may send webhooks. */
export interface ProviderChannel {
  id: string;
  teamId: TeamId;
  webhookSecret: string;
}

/** Finds the channels that webhooks of providers name, of any team. */
@Injectable()
export class ProviderChannels {
  constructor(
    @InjectRepository(NotificationChannel) private readonly channels: Repository<NotificationChannel>,
    private readonly secrets: ChannelSecretsService,
  ) {}

  /** Returns a channel of this type; null if it does not exist or has no `webhookSecret`. */
  async find(type: string, id: string): Promise<ProviderChannel | null> {
    const channel = isUUID(id) ? await this.channels.findOneBy({ id, type }) : null;
    if (typeof channel?.settings.webhookSecret !== 'string') return null;
    const { webhookSecret } = this.secrets.open(type, channel.settings);
    return { id: channel.id, teamId: channel.teamId as TeamId, webhookSecret: webhookSecret as string };
  }
}
