import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { EVENT_TYPE_NAMES, EVENT_TYPES, RESOURCE_TYPES } from '../event.types.js';

const ACTOR_TYPES = ['api_key', 'person', 'ping_key', 'system'] as const;

/** The types of events with what each one reports, as Markdown. */
const TYPE_WORDS = Object.entries(EVENT_TYPES).map(([type, report]) => `- \`${type}\`: ${report}`);

/** Any JSON value. */
const ANY_JSON = {
  oneOf: [
    ...['string', 'number', 'boolean', 'null'].map((type) => ({ type })),
    { type: 'array', items: {} },
    { type: 'object', additionalProperties: true },
  ],
} as ApiPropertyOptions;

/** Who caused an event. */
export class EventActorDto {
  /** `system`: the service itself, from checks, schedules, expiries and the links in messages. @example "api_key" */
  @ApiProperty({ enum: ACTOR_TYPES })
  type: (typeof ACTOR_TYPES)[number];

  /** The id of the API key or the person; null for the service itself. @example "0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55" */
  @ApiProperty({ format: 'uuid' })
  id: string | null;

  /** The name at that time; for a link in a message, that of the notification channel. @example "GitHub Actions" */
  name: string | null;
}

/** The resource that an event is about, with its key and name at that time. */
export class EventResourceDto {
  /** @example "monitor" */
  @ApiProperty({ enum: RESOURCE_TYPES })
  type: (typeof RESOURCE_TYPES)[number];

  /** The id of the resource; of a location, its name. @example "0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c56" */
  id: string;

  /** @example "checkout-api" */
  key: string | null;

  /** @example "Checkout API" */
  name: string | null;
}

/** A change of one value of a resource. */
export class EventChangeDto {
  /** JSON pointer (RFC 6901) into the definition of the resource. @example "/intervalSeconds" */
  pointer: string;

  /** The previous value; null if there was none. Secrets are `"********"`. @example 60 */
  @ApiProperty(ANY_JSON)
  before: unknown;

  /** The new value; null if there is none. Secrets are `"********"`. @example 30 */
  @ApiProperty(ANY_JSON)
  after: unknown;
}

/** Something that happened. Events never change. */
export class EventDto {
  /** @example "0198c9a4-9d10-7e11-8c22-5b6c7d8e9f01" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** @example "monitor.updated" */
  @ApiProperty({ enum: EVENT_TYPE_NAMES, description: ['What happened:', '', ...TYPE_WORDS].join('\n') })
  type: string;

  /** When it happened. @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  occurredAt: string;

  /** When the service recorded it; later than `occurredAt` if late results revealed it. @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  recordedAt: string;

  actor: EventActorDto;

  /** The `X-Request-Id` of the request that caused it. @example "0b9f6c1e-6d0a-4c55-9d0c-1f4f2c7f8a11" */
  requestId: string | null;

  resource: EventResourceDto;

  /** What changed in the definition of the resource; null for other events. */
  changes: EventChangeDto[] | null;

  /** Further facts, which depend on the type. Members may be added. @example {} */
  @ApiProperty({ type: 'object', additionalProperties: true })
  data: Record<string, unknown>;
}

/** A page of events. */
export class EventPageDto {
  data: EventDto[];

  /** The `cursor` of the next page; null on the last one. */
  nextCursor: string | null;
}
