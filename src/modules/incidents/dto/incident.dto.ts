import { ApiProperty } from '@nestjs/swagger';
import { ERROR_CODES } from '../../../domain/error-codes.js';
import { FailedAssertionDto } from '../../checks/dto/check.dto.js';

export const INCIDENT_KINDS = ['detected', 'manual', 'drill'] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];
export const INCIDENT_STATUSES = ['open', 'resolved'] as const;
export type IncidentStatus = (typeof INCIDENT_STATUSES)[number];
export const IMPACTS = ['degraded', 'down', 'none'] as const;
export type Impact = (typeof IMPACTS)[number];
export const PHASES = ['investigating', 'identified', 'monitoring', 'resolved', 'postmortem', 'note'] as const;
export type Phase = (typeof PHASES)[number];

/** The cause of a detected incident according to its checks. Values whose checks have been deleted are null. */
export class IncidentCauseDto {
  /**
   * Error code of the check that confirmed the incident.
   * @example "connect_refused"
   */
  @ApiProperty({ enum: ERROR_CODES })
  errorCode: string | null;

  /** @example "The target refused the connection." */
  message: string | null;

  /** Status code of the response, if there was one. @example null */
  @ApiProperty({ type: 'integer' })
  statusCode: number | null;

  /** @example "bWZ1c2o0aTAuMC5kZWZhdWx0" */
  firstFailedCheckId: string | null;

  /**
   * Null while the incident is open.
   * @example "bWZ1c2tncjQuMC5kZWZhdWx0"
   */
  lastFailedCheckId: string | null;

  /** Failed assertions of the check that confirmed the incident. @example [] */
  failedAssertions: FailedAssertionDto[];
}

/** An outage at one location, according to the checks from there. */
export class IncidentLocationDto {
  /** The key of the location. @example "eu-west" */
  location: string;

  /** @example "Amsterdam" */
  name: string;

  /**
   * When the first failing check from this location ran, possibly before the incident.
   * @example "2026-01-01T12:00:00.000Z"
   */
  @ApiProperty({ format: 'date-time' })
  startedAt: string;

  /**
   * When a check from this location confirmed the failure.
   * @example "2026-01-01T12:00:20.000Z"
   */
  @ApiProperty({ format: 'date-time' })
  confirmedAt: string;

  /**
   * When the first check from this location passed again, possibly after the incident; null if the location has not
   * recovered since.
   * @example "2026-01-01T12:08:00.000Z"
   */
  @ApiProperty({ format: 'date-time' })
  resolvedAt: string | null;
}

/** An update of an incident. */
export class IncidentUpdateDto {
  /** @example "0198c9a4-9a11-7b7e-8f35-5a0f3f3d7b01" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** @example "2026-01-01T12:05:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  at: string;

  /** @example "identified" */
  @ApiProperty({ enum: PHASES })
  phase: Phase;

  /**
   * In CommonMark, with line breaks preserved. Status pages show it without images and HTML.
   * @example "A faulty release; we are rolling back."
   */
  text: string;

  /**
   * `api-key:<id>`, `user:<id>` (a person) or `system`.
   * @example "api-key:0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c77"
   */
  author: string;

  /**
   * Whether status pages show the update.
   * @example true
   */
  public: boolean;
}

/**
 * An incident. Detected incidents open automatically with a confirmed `down` and resolve with the confirmed recovery;
 * manual incidents are created and resolved by people or through the API. A drill is not an outage: it only runs the
 * notification policies of a monitor, and affects neither its status nor uptime, reports or status pages.
 */
export class IncidentDto {
  /** @example "0198c9a4-9a11-7b7e-8f35-5a0f3f3d7a01" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /**
   * Increases with each write by a caller.
   * @example 1
   */
  @ApiProperty({ type: 'integer', minimum: 1 })
  revision: number;

  /** @example "detected" */
  @ApiProperty({ enum: INCIDENT_KINDS })
  kind: IncidentKind;

  /** @example "Checkout API is down" */
  title: string;

  /**
   * The affected monitors; a detected incident and a drill have one. Empty once they are deleted.
   * @example ["0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55"]
   */
  @ApiProperty({ type: [String], items: { type: 'string', format: 'uuid' } })
  monitorIds: string[];

  /**
   * The incident of a parent monitor that was open when this incident began. This incident is grouped under it, and not
   * announced on its own.
   * @example null
   */
  @ApiProperty({ format: 'uuid' })
  parentIncidentId: string | null;

  /**
   * The incident of a flapping monitor stays open until the monitor has not been down for 15 minutes.
   * @example "resolved"
   */
  @ApiProperty({ enum: INCIDENT_STATUSES })
  status: IncidentStatus;

  /**
   * When the first failing check ran, or the end of the maintenance during which it ran.
   * @example "2026-01-01T12:00:00.000Z"
   */
  @ApiProperty({ format: 'date-time' })
  startedAt: string;

  /**
   * When a check confirmed the incident. The start of a drill; null for a manual incident.
   * @example "2026-01-01T12:00:20.000Z"
   */
  @ApiProperty({ format: 'date-time' })
  confirmedAt: string | null;

  /**
   * When the first check passed again, or the incident was resolved; null while it is open.
   * @example "2026-01-01T12:08:00.000Z"
   */
  @ApiProperty({ format: 'date-time' })
  resolvedAt: string | null;

  /**
   * When an open drill ends by itself; null for all other incidents.
   * @example null
   */
  @ApiProperty({ format: 'date-time' })
  endsAt: string | null;

  /**
   * Time from `startedAt` to `resolvedAt`, in seconds with 3 decimals; null while the incident is open.
   * @example 480
   */
  durationSeconds: number | null;

  /**
   * Number of confirmed outages: more than one if the monitor flaps, which begins with the third outage within an hour.
   * 0 for a manual incident and a drill.
   * @example 1
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
  outageCount: number;

  /** Null for a manual incident and a drill. */
  @ApiProperty({ type: () => IncidentCauseDto, nullable: true })
  cause: IncidentCauseDto | null;

  /**
   * The outages at each location that the incident overlaps, oldest first: the newest 200, in lists the newest 10. Empty
   * if the monitor has always been checked from a single location, and for a manual incident and a drill.
   */
  @ApiProperty({ type: () => [IncidentLocationDto] })
  locations: IncidentLocationDto[];

  /** @example "2026-01-01T12:02:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  acknowledgedAt: string | null;

  /**
   * `api-key:<id>`, `user:<id>` (a person), `channel:<id>` (the link in a message to this notification channel),
   * `provider:<id>` (a webhook of the provider of this channel) or `owners` (the link in an email to the owners of the
   * team).
   * @example "api-key:0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c77"
   */
  acknowledgedBy: string | null;

  /**
   * When the acknowledgement expires, and the steps of notification policies continue. Null if it does not expire, and
   * without an acknowledgement.
   * @example "2026-01-01T13:02:00.000Z"
   */
  @ApiProperty({ format: 'date-time' })
  acknowledgedUntil: string | null;

  /** @example "On it." */
  acknowledgeNote: string | null;

  /** @example "down" */
  @ApiProperty({ enum: IMPACTS })
  impact: Impact;

  /** Updates, oldest first. Lists contain only the newest 10. */
  updates: IncidentUpdateDto[];

  /** @example "2026-01-01T12:00:20.000Z" */
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  /** @example "2026-01-01T12:08:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  updatedAt: string;
}

/** A page of incidents. */
export class IncidentPageDto {
  data: IncidentDto[];

  /** @example null */
  nextCursor: string | null;
}

/** Fields of responses that callers cannot write. */
export const READ_ONLY_FIELDS = [
  'id',
  'revision',
  'kind',
  'parentIncidentId',
  'status',
  'confirmedAt',
  'endsAt',
  'durationSeconds',
  'outageCount',
  'cause',
  'locations',
  'acknowledgedAt',
  'acknowledgedBy',
  'acknowledgedUntil',
  'acknowledgeNote',
  'updates',
  'createdAt',
  'updatedAt',
];
