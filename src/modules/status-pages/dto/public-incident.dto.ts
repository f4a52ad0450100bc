import { ApiProperty } from '@nestjs/swagger';
import {
  IMPACTS,
  type Impact,
  INCIDENT_STATUSES,
  type IncidentStatus,
  type Phase,
  PHASES,
} from '../../incidents/dto/incident.dto.js';

/** A public update of an incident. */
export class PublicIncidentUpdateDto {
  /** @example "2026-01-01T12:05:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  at: string;

  /** @example "identified" */
  @ApiProperty({ enum: PHASES })
  phase: Phase;

  /**
   * The text as it was written, in CommonMark.
   * @example "A **faulty release**; we are rolling back."
   */
  text: string;

  /**
   * The text as HTML that is safe to embed: paragraphs, lists, emphasis, code, quotations and links. Contains no images,
   * scripts or attributes other than those of links and the `class` of code.
   * @example "<p>A <strong>faulty release</strong>; we are rolling back.</p>"
   */
  textHtml: string;
}

/** The public part of an incident. Does not contain its cause, and refers to components instead of monitors. */
export class PublicIncidentDto {
  /** @example "0198c9a4-9a11-7b7e-8f35-5a0f3f3d7a01" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /**
   * The title set by a user. By default, it names the affected component and states that it is or was down, or that it
   * is or was intermittently unavailable.
   * @example "Checkout was down"
   */
  title: string;

  /** @example "resolved" */
  @ApiProperty({ enum: INCIDENT_STATUSES })
  status: IncidentStatus;

  /** @example "down" */
  @ApiProperty({ enum: IMPACTS })
  impact: Impact;

  /** @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  startedAt: string;

  /**
   * Null while the incident is open.
   * @example "2026-01-01T12:08:00.000Z"
   */
  @ApiProperty({ format: 'date-time' })
  resolvedAt: string | null;

  /**
   * The affected components of this page.
   * @example ["0198c9a4-9a11-7b7e-8f35-5a0f3f3d7a21"]
   */
  @ApiProperty({ type: [String], items: { type: 'string', format: 'uuid' } })
  componentIds: string[];

  /** Newest first: the latest 10, and the latest one of each phase. */
  updates: PublicIncidentUpdateDto[];
}
