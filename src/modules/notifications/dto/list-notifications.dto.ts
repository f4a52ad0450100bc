import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';
import { PageQueryDto } from '../../../http/lists/page.js';
import { QueryTime } from '../../../http/lists/query.decorators.js';
import { NOTIFICATION_STATUSES } from './notification.dto.js';

/** Filters of the list of notifications. A notification must match all of them. */
export class ListNotificationsDto extends PageQueryDto {
  @ApiPropertyOptional({
    description: 'Only notifications with this status.',
    enum: NOTIFICATION_STATUSES,
    example: 'suppressed',
  })
  @IsOptional()
  @IsIn(NOTIFICATION_STATUSES)
  status?: string;

  @ApiPropertyOptional({
    description: 'Only notifications of the channel with this id, which may have been deleted.',
    format: 'uuid',
    example: '0198c9a4-b1d2-7e54-8d3e-4f5061728394',
  })
  @IsOptional()
  @IsUUID('all')
  channelId?: string;

  @ApiPropertyOptional({
    description: 'Only notifications that the policy with this id caused, which may have been deleted.',
    format: 'uuid',
    example: '0198c9a4-c5e3-7f21-9a0b-1c2d3e4f5061',
  })
  @IsOptional()
  @IsUUID('all')
  policyId?: string;

  @ApiPropertyOptional({
    description: 'Only notifications about the incident with this id.',
    format: 'uuid',
    example: '0198c9a4-9a11-7b7e-8f35-5a0f3f3d7a01',
  })
  @IsOptional()
  @IsUUID('all')
  incidentId?: string;

  @ApiPropertyOptional({
    description: 'Only notifications that concern this monitor: its id, or `key:<key>`.',
    example: 'key:checkout-api',
  })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  monitorId?: string;

  @QueryTime('Only notifications that were planned at or after this time.', '2026-01-01T00:00:00.000Z')
  from?: string;

  @QueryTime('Only notifications that were planned before this time.', '2030-01-01T00:00:00.000Z')
  to?: string;
}
