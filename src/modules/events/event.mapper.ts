import { type EventDto } from './dto/event.dto.js';
import { type Event } from './event.entity.js';

export function toEventDto(event: Event): EventDto {
  const { id, type, occurredAt, recordedAt, requestId, changes, data } = event;
  return {
    id,
    type,
    occurredAt: occurredAt.toISOString(),
    recordedAt: recordedAt.toISOString(),
    actor: {
      type: event.actorType as EventDto['actor']['type'],
      id: event.actorId,
      name: event.actorName,
    },
    requestId,
    resource: {
      type: event.resourceType as EventDto['resource']['type'],
      id: event.resourceId,
      key: event.resourceKey,
      name: event.resourceName,
    },
    changes,
    data,
  };
}
