import { ApiProperty } from '@nestjs/swagger';
import { ERROR_CODES } from '../../../domain/error-codes.js';
import { PageQueryDto } from '../../../http/lists/page.js';
import { QueryTime } from '../../../http/lists/query.decorators.js';
import { QueryLocation } from '../../locations/query-location.decorator.js';

/**
 * A confirmed change of state at one location. Uptime is computed from transitions, pauses, maintenance, exclusions and
 * absences of the service.
 */
export class TransitionDto {
  /** @example "0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** @example "0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c56" */
  @ApiProperty({ format: 'uuid' })
  monitorId: string;

  /** @example "default" */
  location: string;

  /**
   * When the new state began: the start of the first of the consecutive checks that confirmed it.
   * @example "2026-01-01T12:00:00.000Z"
   */
  @ApiProperty({ format: 'date-time' })
  at: string;

  /**
   * When the check that confirmed the new state started.
   * @example "2026-01-01T12:00:20.000Z"
   */
  @ApiProperty({ format: 'date-time' })
  confirmedAt: string;

  /** @example "up" */
  from: 'pending' | 'up' | 'degraded' | 'down';

  /** @example "down" */
  to: 'up' | 'degraded' | 'down';

  /**
   * The error code of the confirming check, one of the published error codes; null unless the new state is `down`.
   * @example "connect_refused"
   */
  @ApiProperty({ enum: ERROR_CODES })
  errorCode: string | null;
}

/** A page of transitions. */
export class TransitionPageDto {
  data: TransitionDto[];

  /** @example null */
  nextCursor: string | null;
}

export class ListTransitionsQuery extends PageQueryDto {
  @QueryTime('Only transitions at or after this time.', '2026-01-01T00:00:00.000Z')
  from?: string;

  @QueryTime('Only transitions before this time.', '2026-02-01T00:00:00.000Z')
  to?: string;

  @QueryLocation('Only transitions at this location.')
  location?: string;
}
