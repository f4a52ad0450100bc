import { type NotificationAttemptDto, type NotificationDto } from './dto/notification.dto.js';
import { type Notification, type StoredAttempt } from './notification.entity.js';

/** @param ids the ids of notifications by key, as far as `collectedInto` needs them */
export function toNotificationDto(row: Notification, ids: ReadonlyMap<string, string>): NotificationDto {
  const isMember = row.messageId !== null && row.messageId !== row.id;
  const standsFor = row.collectedInto === null ? null : (ids.get(row.collectedInto) ?? null);
  return {
    id: row.id,
    alertKey: row.alertKey,
    kind: row.kind,
    eventId: row.eventId,
    incidentId: row.incidentId,
    monitorIds: row.monitorIds,
    policyId: row.policyId,
    step: row.step,
    channelId: row.channelId === row.teamId ? null : row.channelId,
    status: row.status,
    reason: isMember ? 'collected' : row.reason,
    collectedInto: isMember ? row.messageId : standsFor,
    attempts: row.attempts.map(toAttempt),
    nextAttemptAt: timeOf(row.status === 'held' ? row.dueAt : row.nextAttemptAt),
    createdAt: row.createdAt.toISOString(),
    sentAt: timeOf(row.sentAt),
  };
}

function toAttempt({ at, durationMs, statusCode, error }: StoredAttempt): NotificationAttemptDto {
  return { at, durationMs, statusCode, error };
}

function timeOf(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}
