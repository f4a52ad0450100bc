import { ApiProperty } from '@nestjs/swagger';
import { NOTIFIED_EVENTS, type NotifiedEvent } from '../../../domain/notification-plan/policy.js';
import { ShownQuietHoursDto } from './notification-policy.dto.js';

/** A channel that a policy notifies. */
export class NotifiedChannelDto {
  /** @example "0198c9a4-8f1e-7b21-8d4a-5b6c7d8e9f00" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** @example "ops" */
  key: string | null;

  /** @example "Operations" */
  name: string;

  /** @example "slack" */
  type: string;

  /** Whether the channel is in use. A disabled one is not notified. @example true */
  enabled: boolean;
}

export class MonitorPolicyStepDto {
  /** Seconds after the incident was recorded. @example 0 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  afterSeconds: number;

  channels: NotifiedChannelDto[];
}

/** A notification policy that applies to a monitor, and whom it notifies. */
export class MonitorPolicyDto {
  /** @example "0198c9a4-c5e3-7f21-9a0b-1c2d3e4f5061" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** @example "production" */
  key: string | null;

  /** @example "Production" */
  name: string;

  /** Whether the policy notifies. @example true */
  enabled: boolean;

  /** @example ["down"] */
  @ApiProperty({ enum: NOTIFIED_EVENTS, isArray: true })
  on: NotifiedEvent[];

  steps: MonitorPolicyStepDto[];

  /** @example 1800 */
  @ApiProperty({ type: 'integer', nullable: true })
  repeatEverySeconds: number | null;

  @ApiProperty({ type: () => ShownQuietHoursDto, nullable: true })
  quietHours: ShownQuietHoursDto | null;
}

/** All notification policies that apply to a monitor, disabled ones included. */
export class MonitorPoliciesDto {
  data: MonitorPolicyDto[];

  /** Whether anyone is notified when the monitor is down. @example true */
  notified: boolean;
}
