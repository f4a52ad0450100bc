import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { PageQueryDto } from '../../../http/lists/page.js';
import { QueryList } from '../../../http/lists/query.decorators.js';
import { IsTimestamp } from '../../../http/body/timestamp.decorator.js';
import { INCIDENT_KINDS, INCIDENT_STATUSES, type IncidentKind, type IncidentStatus } from './incident.dto.js';

/** Filters of a monitor's incidents; all of them must hold. */
export class ListMonitorIncidentsQuery extends PageQueryDto {
  @ApiPropertyOptional({ description: 'Of this status.', enum: INCIDENT_STATUSES, example: 'open' })
  @IsOptional()
  @IsIn(INCIDENT_STATUSES)
  status?: IncidentStatus;

  @ApiPropertyOptional({ description: 'Of this kind.', enum: INCIDENT_KINDS, example: 'detected' })
  @IsOptional()
  @IsIn(INCIDENT_KINDS)
  kind?: IncidentKind;

  @ApiPropertyOptional({
    description: 'Open at this time, or later.',
    format: 'date-time',
    example: '2026-01-01T00:00:00.000Z',
  })
  @IsOptional()
  @IsTimestamp()
  from?: string;

  @ApiPropertyOptional({
    description: 'Begun before this time.',
    format: 'date-time',
    example: '2030-01-01T00:00:00.000Z',
  })
  @IsOptional()
  @IsTimestamp()
  to?: string;
}

/** Filters of the list of incidents; all of them must hold. */
export class ListIncidentsQuery extends ListMonitorIncidentsQuery {
  @ApiPropertyOptional({ description: 'About this monitor: its id, or `key:<key>`.', example: 'key:checkout-api' })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  monitorId?: string;

  @QueryList({ description: 'About a monitor with this tag. Repeatable: it must have all.', example: ['production'] })
  @IsString({ each: true })
  @MaxLength(50, { each: true })
  tag?: string[];
}
