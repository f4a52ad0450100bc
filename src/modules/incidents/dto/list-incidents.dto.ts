import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { PageQueryDto } from '../../../http/lists/page.js';
import { QueryList, QueryTime } from '../../../http/lists/query.decorators.js';
import { QueryLocation } from '../../locations/query-location.decorator.js';
import { INCIDENT_KINDS, INCIDENT_STATUSES, type IncidentKind, type IncidentStatus } from './incident.dto.js';

/** Filters of the incidents of a monitor. An incident must match all of them. */
export class ListMonitorIncidentsQuery extends PageQueryDto {
  @ApiPropertyOptional({ description: 'Only incidents with this status.', enum: INCIDENT_STATUSES, example: 'open' })
  @IsOptional()
  @IsIn(INCIDENT_STATUSES)
  status?: IncidentStatus;

  @ApiPropertyOptional({ description: 'Only incidents of this kind.', enum: INCIDENT_KINDS, example: 'detected' })
  @IsOptional()
  @IsIn(INCIDENT_KINDS)
  kind?: IncidentKind;

  @QueryLocation(
    'Only detected incidents during which the monitor was down according to the checks from this location.',
  )
  location?: string;

  @QueryTime('Only incidents that were open at or after this time.', '2026-01-01T00:00:00.000Z')
  from?: string;

  @QueryTime('Only incidents that began before this time.', '2030-01-01T00:00:00.000Z')
  to?: string;
}

/** Filters of the list of incidents. An incident must match all of them. */
export class ListIncidentsQuery extends ListMonitorIncidentsQuery {
  @ApiPropertyOptional({
    description: 'Only incidents that affect this monitor: its id, or `key:<key>`.',
    example: 'key:checkout-api',
  })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  monitorId?: string;

  @QueryList({
    description: 'Only incidents that affect a monitor with this tag. Repeat it to require several tags.',
    example: ['production'],
  })
  @IsString({ each: true })
  @MaxLength(50, { each: true })
  tag?: string[];
}
