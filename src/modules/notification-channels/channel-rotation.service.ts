import { Injectable } from '@nestjs/common';
import { channelOf } from '../../channels/index.js';
import { managerOf, Transactions } from '../../database/tx.js';
import { DAY_MS } from '../../domain/durations.js';
import { type TeamId } from '../../http/auth/principal.js';
import { expectNoFields } from '../../http/body/validation.js';
import { KEEPS_NOTHING, type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { type IfMatch, UNCONDITIONAL } from '../../http/items/if-match.decorator.js';
import { ProblemException } from '../../http/problems/problem.js';
import { EventLog } from '../events/event-log.service.js';
import { channelEvent } from './channel-events.js';
import { ChannelSecretsService } from './channel-secrets.service.js';
import { type NotificationChannelDto } from './dto/notification-channel.dto.js';
import { NotificationChannel } from './notification-channel.entity.js';
import { toChannelDto } from './notification-channel.mapper.js';
import { NotificationChannelsService } from './notification-channels.service.js';

/** How long the secret before a rotation stays valid. */
const OVERLAP_MS = DAY_MS;

/** Replaces the secrets that channels themselves have, such as the signing secret of a webhook. */
@Injectable()
export class ChannelRotationService {
  constructor(
    private readonly channels: NotificationChannelsService,
    private readonly secrets: ChannelSecretsService,
    private readonly transactions: Transactions,
    private readonly events: EventLog,
  ) {}

  /**
   * Generates a new secret, which only this response shows. The old one stays valid for 24 hours.
   * @throws 404, 412, 409 `rotation_unsupported`
   */
  async rotate(
    teamId: TeamId,
    address: string,
    body: unknown,
    ifMatch: IfMatch = UNCONDITIONAL,
    keep: KeepAnswer = KEEPS_NOTHING,
  ): Promise<NotificationChannelDto> {
    const { id, revision } = await this.channels.find(teamId, address);
    ifMatch.assert(revision);
    expectNoFields(body);
    return this.transactions.run(async (tx) => {
      const channel = await this.channels.lock(tx, teamId, id);
      ifMatch.assert(channel.revision);
      const definition = channelOf(channel.type);
      if (!definition?.rotate) throw unsupported(channel.type);
      const now = new Date();
      const before = this.secrets.open(channel.type, channel.settings);
      const after: Record<string, unknown> = {
        ...definition.rotate(before, new Date(now.getTime() + OVERLAP_MS)),
      };
      const settings = this.secrets.seal(channel.type, after);
      const changes = { settings, revision: channel.revision + 1, updatedAt: now };
      await managerOf(tx).update(NotificationChannel, { id, teamId }, changes as object);
      const changed = { ...channel, ...changes };
      await this.events.record(tx, [channelEvent('notification_channel.rotated', changed)], now.getTime());
      await keep.in(tx, toChannelDto(changed));
      const former = new Set(definition.setByRotation);
      const fresh = Object.entries(after).filter(([name, value]) => value !== before[name] && !former.has(name));
      return toChannelDto(changed, Object.fromEntries(fresh));
    });
  }
}

function unsupported(type: string): ProblemException {
  const detail = `The secrets of ${type} channels cannot be rotated here. Create a new one at the provider, then update the channel.`;
  return new ProblemException(409, 'rotation_unsupported', detail);
}
