import { ApiProperty } from '@nestjs/swagger';

export const DELIVERY_STATUSES = ['sent', 'failed'] as const;

/** The outcome of an attempt to send a message. */
export class ChannelDeliveryDto {
  /** @example "sent" */
  @ApiProperty({ enum: DELIVERY_STATUSES })
  status: (typeof DELIVERY_STATUSES)[number];

  /** HTTP status code of the response. Null if there was none. @example 200 */
  @ApiProperty({ type: 'integer', nullable: true })
  statusCode: number | null;

  /** Why the attempt failed, in one sentence. Null if the message was sent. @example null */
  error: string | null;

  /** The provider's own id of the message or alert. Null if it has none. @example null */
  providerId: string | null;

  /** How long the attempt took, in milliseconds. @example 84 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  durationMs: number;

  /** When the attempt began. @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  at: string;
}
