import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { channelOf } from '../../channels/index.js';
import { Transactions } from '../../database/tx.js';
import { type TeamId } from '../../http/auth/principal.js';
import { expectNoFields } from '../../http/body/validation.js';
import { KEEPS_NOTHING, type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { TeamShares } from '../../http/throttle/team-shares.js';
import { TeamsService } from '../teams/teams.service.js';
import { ChannelHealthService } from './channel-health.service.js';
import { type Attempt, ChannelSendingService } from './channel-sending.service.js';
import { type ChannelDeliveryDto } from './dto/channel-delivery.dto.js';
import { type NotificationChannel } from './notification-channel.entity.js';
import { NotificationChannelsService } from './notification-channels.service.js';
import { testFacts } from './test-message.js';

/** Sends test messages. */
@Injectable()
export class ChannelTestsService {
  /** Limits each team, so that its hanging receivers do not occupy the service. */
  private readonly shares = new TeamShares({ atOnce: 5, mostWaiting: 20, noun: 'tests of channels' });

  constructor(
    private readonly channels: NotificationChannelsService,
    private readonly sending: ChannelSendingService,
    private readonly health: ChannelHealthService,
    private readonly teams: TeamsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Sends a message marked TEST, also through a disabled channel, and records the health of the channel. An alert at a
   * machine is resolved at once. Returns the delivery, even if it failed. @throws 404, 422, 429
   */
  async run(
    teamId: TeamId,
    address: string,
    body: unknown,
    keep: KeepAnswer = KEEPS_NOTHING,
  ): Promise<ChannelDeliveryDto> {
    const channel = await this.channels.find(teamId, address);
    expectNoFields(body);
    const attempt = await this.shares.run(teamId, () => this.send(teamId, channel));
    const answer = toDeliveryDto(attempt);
    await this.transactions.run(async (tx) => {
      await this.health.record(tx, { id: channel.id, teamId }, attempt.at, [attempt.delivery]);
      await keep.in(tx, answer);
    });
    return answer;
  }

  private async send(teamId: TeamId, channel: NotificationChannel): Promise<Attempt> {
    const [team] = await this.teams.find(teamId);
    const tested = { name: channel.name, teamName: team?.name ?? '' };
    const startedAt = new Date();
    const alertKey = `test-${uuidv7()}`;
    const attempt = (kind: 'trigger' | 'resolve'): Promise<Attempt> => {
      const facts = testFacts({ id: uuidv7(), alertKey }, tested, kind, { startedAt, now: new Date() });
      return this.sending.attempt(channel, facts);
    };
    const trigger = await attempt('trigger');
    if (channelOf(channel.type)?.audience !== 'machines' || trigger.delivery.status === 'failed') return trigger;
    const resolve = await attempt('resolve');
    const delivery = resolve.delivery.status === 'failed' ? resolve.delivery : trigger.delivery;
    return { delivery, at: trigger.at, durationMs: trigger.durationMs + resolve.durationMs };
  }
}

function toDeliveryDto({ delivery, at, durationMs }: Attempt): ChannelDeliveryDto {
  const sent = delivery.status === 'sent';
  return {
    status: delivery.status,
    statusCode: delivery.statusCode,
    error: sent ? null : delivery.error,
    providerId: sent ? delivery.providerId : null,
    durationMs,
    at: at.toISOString(),
  };
}
