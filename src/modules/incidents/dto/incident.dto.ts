import { ApiProperty } from '@nestjs/swagger';
import { ERROR_CODES } from '../../../domain/error-codes.js';
import { FailedAssertionDto } from '../../checks/dto/check.dto.js';

export const INCIDENT_KINDS = ['detected', 'manual'] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];
export const INCIDENT_STATUSES = ['open', 'resolved'] as const;
export type IncidentStatus = (typeof INCIDENT_STATUSES)[number];
export const IMPACTS = ['degraded', 'down', 'none'] as const;
export type Impact = (typeof IMPACTS)[number];
export const PHASES = ['investigating', 'identified', 'monitoring', 'resolved', 'note'] as const;
export type Phase = (typeof PHASES)[number];

/** Why a detected incident began, by its checks. What is no longer kept of them is null. */
export class IncidentCauseDto {
  /**
   * Of the check that confirmed it; one of the published error codes.
   * @example "connect_refused"
   */
  @ApiProperty({ enum: ERROR_CODES })
  errorCode: string | null;

  /** @example "The target refused the connection." */
  message: string | null;

  /** @example "bWZ1c2o0aTAuMC5kZWZhdWx0" */
  firstFailedCheckId: string | null;

  /**
   * Null while the incident is open.
   * @example "bWZ1c2tncjQuMC5kZWZhdWx0"
   */
  lastFailedCheckId: string | null;

  /** Of the check that confirmed it. @example [] */
  failedAssertions: FailedAssertionDto[];
}

/** What somebody told about an incident. */
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

  /** @example "A faulty release; we are rolling back." */
  text: string;

  /**
   * `api-key:<id>`, `user:<id>` (a person) or `system`.
   * @example "api-key:0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c77"
   */
  author: string;

  /**
   * Whether status pages show it.
   * @example true
   */
  public: boolean;
}

/**
 * An incident. Detected ones open with a confirmed `down` and end with the confirmed recovery, by themselves; manual ones
 * are written.
 */
export class IncidentDto {
  /** @example "0198c9a4-9a11-7b7e-8f35-5a0f3f3d7a01" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /**
   * Rises with callers' writes.
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
   * The monitors it is about: one where it was detected. Empty once they are deleted.
   * @example ["0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55"]
   */
  @ApiProperty({ type: [String], items: { type: 'string', format: 'uuid' } })
  monitorIds: string[];

  /**
   * The incident of a parent of its monitor that was open when this one began. It is grouped under that, and not announced
   * alone.
   * @example null
   */
  @ApiProperty({ format: 'uuid' })
  parentIncidentId: string | null;

  /**
   * A flapping monitor's incident stays open until it has been well for 15 minutes.
   * @example "resolved"
   */
  @ApiProperty({ enum: INCIDENT_STATUSES })
  status: IncidentStatus;

  /**
   * The first failing check, or the end of the maintenance in which that lay.
   * @example "2026-01-01T12:00:00.000Z"
   */
  @ApiProperty({ format: 'date-time' })
  startedAt: string;

  /**
   * The check that confirmed it; null for a manual incident.
   * @example "2026-01-01T12:00:20.000Z"
   */
  @ApiProperty({ format: 'date-time' })
  confirmedAt: string | null;

  /**
   * The first check that passed again; null while it is open.
   * @example "2026-01-01T12:08:00.000Z"
   */
  @ApiProperty({ format: 'date-time' })
  resolvedAt: string | null;

  /**
   * From `startedAt` to `resolvedAt`, in seconds with 3 decimals; null while it is open.
   * @example 480
   */
  durationSeconds: number | null;

  /**
   * Confirmed outages in it: more than one where the monitor flaps, from the third within an hour on. 0 for a manual one.
   * @example 1
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
  outageCount: number;

  /** Null for a manual incident. */
  @ApiProperty({ type: () => IncidentCauseDto, nullable: true })
  cause: IncidentCauseDto | null;

  /** @example "2026-01-01T12:02:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  acknowledgedAt: string | null;

  /** @example "api-key:0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c77" */
  acknowledgedBy: string | null;

  /** @example "On it." */
  acknowledgeNote: string | null;

  /** @example "down" */
  @ApiProperty({ enum: IMPACTS })
  impact: Impact;

  /** Oldest first; in a list the newest 10. */
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

/** Known from answers, and never written. */
export const READ_ONLY_FIELDS = [
  'id',
  'revision',
  'kind',
  'parentIncidentId',
  'status',
  'confirmedAt',
  'durationSeconds',
  'outageCount',
  'cause',
  'acknowledgedAt',
  'acknowledgedBy',
  'acknowledgeNote',
  'updates',
  'createdAt',
  'updatedAt',
];
