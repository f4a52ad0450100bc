import { channelOf } from '../../channels/index.js';
import { MASK } from '../../domain/mask.js';
import { mapSecrets } from '../../domain/secret-members.js';
import { declaredNames } from '../../http/body/dto-faults.js';
import { isJsonObject } from '../../http/body/json.js';
import { type ChannelStatus, type NotificationChannelDto } from './dto/notification-channel.dto.js';
import { type NotificationChannel } from './notification-channel.entity.js';

const time = (date: Date | null): string | null => date?.toISOString() ?? null;

/** @param generated settings that are shown in plain text, because the caller cannot know them */
export function toChannelDto(
  channel: NotificationChannel,
  generated: Record<string, unknown> = {},
): NotificationChannelDto {
  return {
    id: channel.id,
    revision: channel.revision,
    ...toWritable(channel, generated),
    health: {
      status: statusOf(channel),
      lastSentAt: time(channel.lastSentAt),
      lastFailedAt: time(channel.lastFailedAt),
      lastError: channel.lastError,
    },
    createdAt: channel.createdAt.toISOString(),
    updatedAt: channel.updatedAt.toISOString(),
  };
}

/** Returns the fields that a caller can write, with secrets masked. */
export function toWritable(
  { key, name, type, enabled, settings }: NotificationChannel,
  generated: Record<string, unknown> = {},
) {
  return { key, name, type, enabled, settings: shownSettings(type, settings, generated) };
}

/** Returns all settings of the type in the order of its class, which `jsonb` does not keep; those without a value as null. */
function shownSettings(type: string, settings: object, generated: Record<string, unknown>): Record<string, unknown> {
  const definition = channelOf(type)!;
  const masked = mapSecrets(definition, settings, () => MASK);
  const known: Record<string, unknown> = { ...definition.defaults, ...masked, ...generated };
  return Object.fromEntries([...declaredNames(definition.fields)].map((name) => [name, ordered(known[name] ?? null)]));
}

function ordered(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function statusOf({ lastSentAt, failingSince }: NotificationChannel): ChannelStatus {
  if (failingSince !== null) return 'failing';
  return lastSentAt === null ? 'unused' : 'ok';
}
