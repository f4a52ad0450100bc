import { ApiProperty, PickType } from '@nestjs/swagger';
import { ReportPeriodDto, WindowQuery } from '../../uptime/dto/uptime.dto.js';

/** How long something took, over several incidents. Null where there was none. */
export class AlertingTimesDto {
  /** @example 61.2 */
  medianSeconds: number | null;

  /** 95th percentile, interpolated between neighbouring values. @example 75.05 */
  p95Seconds: number | null;
}

/** How long it took from the failure to the acknowledgement. */
export class AlertingFiguresDto {
  /** Number of incidents: all of them in total, those of which it was notified for a policy or channel. @example 12 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  incidentCount: number;

  /** Number of these incidents of which a notification was sent. @example 11 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  notifiedCount: number;

  /** Number of these incidents that were acknowledged after the notification was sent. @example 7 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  acknowledgedCount: number;

  /** From the first failing check to the confirmed outage. */
  failureToConfirmed: AlertingTimesDto;

  /** From the confirmation until the first alert was sent. Includes the `afterSeconds` of its step. */
  confirmedToSent: AlertingTimesDto;

  /** From the first alert to the latest acknowledgement. */
  sentToAcknowledged: AlertingTimesDto;
}

/** The figures of a notification policy. */
export class PolicyAlertingDto extends AlertingFiguresDto {
  /** @example "0198c9a4-c5e3-7f21-9a0b-1c2d3e4f5061" */
  @ApiProperty({ format: 'uuid' })
  policyId: string;

  /** Null if the policy has been deleted. @example "Production" */
  @ApiProperty({ type: String, nullable: true })
  name: string | null;
}

/** The figures of a notification channel. */
export class ChannelAlertingDto extends AlertingFiguresDto {
  /** Null stands for the email of the owners. @example "0198c9a4-b4d2-7e10-8f9a-0b1c2d3e4f50" */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  channelId: string | null;

  /** Null if the channel has been deleted, and for the email of the owners. @example "Slack #ops" */
  @ApiProperty({ type: String, nullable: true })
  name: string | null;
}

export class AlertingReportDto extends ReportPeriodDto {
  total: AlertingFiguresDto;

  /** Policies of which a notification was sent, ordered by id. */
  policies: PolicyAlertingDto[];

  /** Channels to which a notification was sent, ordered by id. */
  channels: ChannelAlertingDto[];
}

/** The period of a report. */
export class AlertingReportQuery extends PickType(WindowQuery, ['from', 'to'] as const) {}
