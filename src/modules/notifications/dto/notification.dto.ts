import { ApiProperty } from '@nestjs/swagger';

/** Values may be added. */
export const NOTIFICATION_KINDS = ['trigger', 'repeat', 'acknowledged', 'resolve', 'correction', 'notice'] as const;
export const NOTIFICATION_STATUSES = ['pending', 'held', 'sent', 'failed', 'suppressed'] as const;
export const NOTIFICATION_REASONS = [
  'parent_down',
  'awaiting_parent',
  'maintenance',
  'paused',
  'silenced',
  'quiet_hours',
  'flapping',
  'resolved_before_step',
  'acknowledged',
  'collected',
  'channel_disabled',
  'policy_disabled',
  'no_policy',
] as const;

/** An attempt to send a notification. */
export class NotificationAttemptDto {
  /** @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  at: string;

  /** Null while it is being made, and if the service stopped before it recorded the outcome. @example 182 */
  @ApiProperty({ type: 'integer', nullable: true })
  durationMs: number | null;

  /** The HTTP status code of the response, if there was one. @example 200 */
  @ApiProperty({ type: 'integer', nullable: true })
  statusCode: number | null;

  /** Why it failed. Null if it succeeded or is being made. @example null */
  @ApiProperty({ type: String, nullable: true })
  error: string | null;
}

/** A notification about an alert that a channel was sent, or the reason why it was not. */
export class NotificationDto {
  /**
   * The same in each attempt (`webhook-id`), so that a receiver can drop repetitions.
   * @example "0198c9a4-e0a1-7d43-9c2d-3e4f50617283"
   */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** The alert: an incident in one episode. Providers use it as the deduplication key. @example "0198c9a4-9a11-7b7e-8f35-5a0f3f3d7a01/1" */
  alertKey: string;

  /** @example "trigger" */
  @ApiProperty({ enum: NOTIFICATION_KINDS })
  kind: (typeof NOTIFICATION_KINDS)[number];

  /** The event that opened the alert. @example "0198c9a4-9d10-7e11-8c22-5b6c7d8e9f01" */
  @ApiProperty({ format: 'uuid' })
  eventId: string;

  /** @example "0198c9a4-9a11-7b7e-8f35-5a0f3f3d7a01" */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  incidentId: string | null;

  /** The monitors that it concerns, which may have been deleted. @example ["0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c56"] */
  @ApiProperty({ type: String, format: 'uuid', isArray: true })
  monitorIds: string[];

  /** The policy that caused it; null if no policy applies. @example "0198c9a4-c5e3-7f21-9a0b-1c2d3e4f5061" */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  policyId: string | null;

  /** The step of the policy, counted from 1. 0 if no policy applies, or if all its steps failed. @example 1 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  step: number;

  /**
   * Null if nobody is notified, and for the email to the owners of the team: the last resort if all channels of a policy
   * have failed (`step` is 0).
   * @example "0198c9a4-b1d2-7e54-8d3e-4f5061728394"
   */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  channelId: string | null;

  /** `held` waits for what `reason` names; `suppressed` is not sent because of it. @example "sent" */
  @ApiProperty({ enum: NOTIFICATION_STATUSES })
  status: (typeof NOTIFICATION_STATUSES)[number];

  /** Why it waits or is not sent. `no_policy`: nobody was notified. @example null */
  @ApiProperty({ type: String, enum: NOTIFICATION_REASONS, nullable: true })
  reason: (typeof NOTIFICATION_REASONS)[number] | null;

  /** The notification that stands for this one, if the reason is `collected`. @example null */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  collectedInto: string | null;

  /** Oldest first. */
  attempts: NotificationAttemptDto[];

  /** When it is sent at the earliest; null if that is not known, and if no attempt follows. @example null */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  nextAttemptAt: string | null;

  /** When it was planned. @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  /** @example "2026-01-01T12:00:00.182Z" */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  sentAt: string | null;
}

/** A page of notifications. */
export class NotificationPageDto {
  data: NotificationDto[];

  /** The `cursor` of the next page; null on the last one. */
  nextCursor: string | null;
}
