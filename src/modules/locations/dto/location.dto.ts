import { ApiProperty } from '@nestjs/swagger';
import { PageQueryDto } from '../../../http/lists/page.js';

/** Where a location is, for maps. */
export class CoordinatesDto {
  /** Degrees north, from -90 to 90. @example 52.37 */
  latitude: number;

  /** Degrees east, from -180 to 180. @example 4.9 */
  longitude: number;
}

/** A process that makes checks from the location. */
export class LocationWorkerDto {
  /** @example "0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c80" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** @example "0.1.0" */
  version: string;

  /** @example "2026-01-02T08:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  startedAt: string;

  /** When it last reported. Workers report every two seconds. @example "2026-01-02T09:30:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  lastSeenAt: string;

  /** Share of the time in which its probe threads worked, from 0 to 100. @example 12.5 */
  busyPercent: number;
}

export const LOCATION_STATUSES = ['ok', 'lagging', 'offline'] as const;

/** A place from which monitors are checked. The operator of the service adds and changes locations. */
export class LocationDto {
  /** @example "0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c81" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** What `locations` of monitors contain. @example "eu-west" */
  key: string;

  /** @example "Amsterdam" */
  name: string;

  /** ISO 3166-1 alpha-2 code of the country. @example "NL" */
  country: string | null;

  coordinates: CoordinatesDto | null;

  /** Whether it is the location of monitors that name none. True for exactly one location. @example false */
  default: boolean;

  /** Whether checks are made from it. While they are not, it does not count for the state of any monitor. @example true */
  enabled: boolean;

  /** Services as `host:port` that prove that the location has a network. Empty if the workers have their own. @example ["192.0.2.1:443"] */
  canaryTargets: string[];

  /** Monitors with a lower `degradedAfterMs` use this value at the location; null if there is no such minimum. @example 800 */
  @ApiProperty({ type: 'integer' })
  degradedAfterMs: number | null;

  /** The processes that make checks from it and have reported within ten seconds, oldest first. */
  workers: LocationWorkerDto[];

  /**
   * `ok`: checks start on time. `lagging`: scheduled checks start more than five seconds late on average. `offline`: there is no
   * worker.
   */
  @ApiProperty({ enum: LOCATION_STATUSES, enumName: 'LocationStatus', example: 'ok' })
  status: (typeof LOCATION_STATUSES)[number];

  /** By how many milliseconds scheduled checks start late at present, on average; 0 without a worker. @example 3 */
  @ApiProperty({ type: 'integer' })
  lagMs: number;

  /** Number of checks per second at present, of all teams. @example 120.5 */
  checksPerSecond: number;

  /** @example "2026-01-02T08:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  /** @example "2026-01-02T08:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  updatedAt: string;
}

export class LocationPageDto {
  data: LocationDto[];

  /** The `cursor` of the next page; null on the last one. */
  nextCursor: string | null;
}

/** Parameters of the list of locations. */
export class ListLocationsDto extends PageQueryDto {}
