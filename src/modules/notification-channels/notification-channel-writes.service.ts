import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { leavesAsIs } from '../../database/leaves-as-is.js';
import { managerOf, Transactions } from '../../database/tx.js';
import { jsonChanges, maskedChanges } from '../../domain/json-changes.js';
import { type TeamId } from '../../http/auth/principal.js';
import { asJson, type JsonObject } from '../../http/body/json.js';
import { readObject } from '../../http/body/validation.js';
import { KEEPS_NOTHING, type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { type IfMatch, UNCONDITIONAL } from '../../http/items/if-match.decorator.js';
import { type KeyedResource, KeyedWrites, type PutOutcome } from '../../http/items/keyed-writes.js';
import { notFound, ProblemException, validationFailed } from '../../http/problems/problem.js';
import { EventLog } from '../events/event-log.service.js';
import { NotificationPoliciesService } from '../notification-policies/notification-policies.service.js';
import { TeamLimits } from '../teams/team-limits.service.js';
import { channelEvent } from './channel-events.js';
import { ChannelMeansService } from './channel-means.service.js';
import { ChannelSecretsService } from './channel-secrets.service.js';
import { patchChannel, readChannel, replaceChannel } from './channel-write.js';
import { type NotificationChannelDto } from './dto/notification-channel.dto.js';
import { NotificationChannel } from './notification-channel.entity.js';
import { toChannelDto, toWritable } from './notification-channel.mapper.js';
import { NotificationChannelsService } from './notification-channels.service.js';

const RESOURCE: KeyedResource = { noun: 'notification channel', keyConstraint: 'notification_channels_team_key' };
/** Policies that a refusal to delete a channel names. */
const MOST_NAMED = 5;

const UNUSED = { lastSentAt: null, lastFailedAt: null, lastError: null, failingSince: null };

/**
 * Writes notification channels for callers. A secret that the service generates is shown once, in the response to the
 * write that generated it.
 */
@Injectable()
export class NotificationChannelWritesService {
  constructor(
    private readonly channels: NotificationChannelsService,
    private readonly policies: NotificationPoliciesService,
    private readonly means: ChannelMeansService,
    private readonly secrets: ChannelSecretsService,
    private readonly transactions: Transactions,
    private readonly keyed: KeyedWrites,
    private readonly limits: TeamLimits,
    private readonly events: EventLog,
  ) {}

  /** Creates a channel. @throws 422, 409 `key_taken` */
  create(teamId: TeamId, body: unknown, keep: KeepAnswer = KEEPS_NOTHING): Promise<NotificationChannelDto> {
    return this.insert(teamId, readObject(body), keep);
  }

  /**
   * Stores a whole definition: replaces the channel at the address or, with `key:<key>`, creates it. Of concurrent
   * writers, the last one wins. @throws 404, 412, 422, 409
   */
  put(
    teamId: TeamId,
    address: string,
    body: unknown,
    ifMatch: IfMatch = UNCONDITIONAL,
  ): Promise<PutOutcome<NotificationChannelDto>> {
    return this.keyed.put(
      RESOURCE,
      { address, body, ifMatch },
      {
        find: () => this.channels.findOrNull(teamId, address),
        replace: ({ id }, sent) =>
          this.store(teamId, id, ifMatch, (channel) => replaceChannel(channel.type, asJson(toWritable(channel)), sent)),
        create: (sent) => this.insert(teamId, sent, KEEPS_NOTHING),
      },
    );
  }

  /** Applies a merge patch (RFC 7396) and validates the result like a create. @throws 404, 412, 422, 409 */
  async update(
    teamId: TeamId,
    address: string,
    body: unknown,
    ifMatch: IfMatch = UNCONDITIONAL,
  ): Promise<NotificationChannelDto> {
    const { id, revision } = await this.channels.find(teamId, address);
    ifMatch.assert(revision);
    const patch = readObject(body);
    return this.store(teamId, id, ifMatch, (channel) => patchChannel(asJson(toWritable(channel)), patch));
  }

  /** Deletes a channel. @throws 404, 412, 409 `in_use` */
  async remove(teamId: TeamId, address: string, ifMatch: IfMatch = UNCONDITIONAL): Promise<void> {
    const { id, revision } = await this.channels.find(teamId, address);
    ifMatch.assert(revision);
    await this.transactions.run(async (tx) => {
      const channel = await this.channels.lock(tx, teamId, id);
      ifMatch.assert(channel.revision);
      // A policy that is being stored holds its channels, so the lock waits for it.
      const names = await this.policies.namesUsing(tx, teamId, id);
      if (names.length > 0) throw inUse(names);
      const { affected } = await managerOf(tx).delete(NotificationChannel, { id, teamId });
      if (affected !== 1) throw notFound();
      // What is still pending stays until it has failed with that reason, which needs the claim.
      await managerOf(tx).query(
        `DELETE FROM notification_channel_claims WHERE channel_id = $1
           AND NOT EXISTS (SELECT FROM notifications WHERE channel_id = $1 AND next_attempt_at IS NOT NULL)`,
        [id],
      );
      await this.events.record(tx, [channelEvent('notification_channel.deleted', channel)]);
    });
  }

  private insert(teamId: TeamId, sent: JsonObject, keep: KeepAnswer): Promise<NotificationChannelDto> {
    const { channel: written, generated } = this.accept(sent, null);
    return this.keyed.run(RESOURCE, async (tx) => {
      const now = new Date();
      const settings = this.secrets.seal(written.type, written.settings);
      const times = { createdAt: now, updatedAt: now };
      const channel: NotificationChannel = {
        ...written,
        settings,
        ...UNUSED,
        ...times,
        id: uuidv7(),
        teamId,
        revision: 1,
      };
      await this.limits.assertRoom(tx, teamId, 'MAX_NOTIFICATION_CHANNELS_PER_TEAM', NotificationChannel, { teamId });
      await managerOf(tx).insert(NotificationChannel, channel as object);
      const data = { type: channel.type };
      await this.events.record(tx, [channelEvent('notification_channel.created', channel, { data })], now.getTime());
      await keep.in(tx, toChannelDto(channel));
      return toChannelDto(channel, generated);
    });
  }

  /** Stores the definition that `definitionOf` returns for the channel as it is under its lock. */
  private store(
    teamId: TeamId,
    id: string,
    ifMatch: IfMatch,
    definitionOf: (channel: NotificationChannel) => JsonObject,
  ): Promise<NotificationChannelDto> {
    return this.keyed.run(RESOURCE, async (tx) => {
      const channel = await this.channels.lock(tx, teamId, id);
      ifMatch.assert(channel.revision);
      const before = { ...channel, settings: this.secrets.open(channel.type, channel.settings) };
      const { channel: written, generated } = this.accept(definitionOf(channel), before);
      if (leavesAsIs(before, written)) return toChannelDto(channel);
      const settings = this.secrets.seal(written.type, written.settings);
      const changes = { ...written, settings, revision: channel.revision + 1, updatedAt: new Date() };
      await managerOf(tx).update(NotificationChannel, { id, teamId }, changes as object);
      const changed = { ...channel, ...changes };
      const plain = [before, { ...changed, settings: written.settings }].map(definitionIn);
      const edits = maskedChanges(jsonChanges(plain[0], plain[1]), toWritable(channel), toWritable(changed));
      const event = channelEvent('notification_channel.updated', changed, {
        changes: edits,
        data: { enabled: changed.enabled },
      });
      await this.events.record(tx, [event], changes.updatedAt.getTime());
      return toChannelDto(changed, generated);
    });
  }

  /** Validates a whole definition. @throws 422 */
  private accept(sent: JsonObject, stored: NotificationChannel | null) {
    const outcome = readChannel(sent, this.means, stored);
    if (!outcome.channel) throw validationFailed(outcome.errors);
    return outcome;
  }
}

function definitionIn({ key, name, enabled, settings }: NotificationChannel): object {
  return { key, name, enabled, settings };
}

function inUse(names: readonly string[]): ProblemException {
  const shown = names.slice(0, MOST_NAMED).map((name) => `"${name}"`);
  const rest = names.length - shown.length;
  const list = rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
  const noun = names.length === 1 ? 'policy uses' : 'policies use';
  return new ProblemException(409, 'in_use', `The notification ${noun} this channel: ${list}.`);
}
