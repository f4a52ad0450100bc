import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { DEFAULT_LOCATION } from '../../domain/location.js';
import { type TeamId } from '../../http/auth/principal.js';
import { itemAddress } from '../../http/items/item-address.js';
import { KeysetLists, RowOrder } from '../../http/lists/keyset-lists.js';
import { Page } from '../../http/lists/page.js';
import { notFound } from '../../http/problems/problem.js';
import { type WorkerReport } from '../../redis/worker-report.js';
import { type ListLocationsDto, type LocationDto } from './dto/location.dto.js';
import { Location } from './location.entity.js';
import { LocationWorkersService } from './location-workers.service.js';

const BY_KEY = new RowOrder<Location>([{ sql: 'l.key', cast: 'text', of: (row) => row.key }], 'ASC');
const LAGGING_ABOVE_MS = 5_000;

/** Reads the locations, and how the workers there are doing. */
@Injectable()
export class LocationsService {
  constructor(
    @InjectRepository(Location) private readonly locations: Repository<Location>,
    private readonly workers: LocationWorkersService,
    private readonly lists: KeysetLists,
  ) {}

  /** Lists the locations by key. @throws 400 `invalid_cursor` */
  async list(teamId: TeamId, query: ListLocationsDto): Promise<Page<LocationDto>> {
    const page = await this.lists.page(
      { teamId, list: 'locations' },
      query,
      {},
      {
        read: (_, after, count) => BY_KEY.apply(this.locations.createQueryBuilder('l'), after, count).getMany(),
        keyOf: (row) => BY_KEY.keyOf(row),
      },
    );
    return new Page(await this.shown(page.rows), page.nextCursor);
  }

  /** Returns a location by its id, or by `key:` and its key. @throws 404 */
  async get(address: string): Promise<LocationDto> {
    const where = itemAddress(address);
    const row = where && (await this.locations.findOneBy(where));
    if (!row) throw notFound();
    return (await this.shown([row]))[0]!;
  }

  private async shown(rows: readonly Location[]): Promise<LocationDto[]> {
    const workers = await this.workers.at(rows.map(({ key }) => key));
    return rows.map((row) => toLocationDto(row, workers.get(row.key) ?? []));
  }
}

function toLocationDto(row: Location, workers: readonly WorkerReport[]): LocationDto {
  const { latitude, longitude } = row;
  const lagMs = Math.round(Math.max(0, ...workers.map((one) => one.lagMs)));
  const late = lagMs > LAGGING_ABOVE_MS ? 'lagging' : 'ok';
  return {
    id: row.id,
    key: row.key,
    name: row.name,
    country: row.country,
    coordinates: latitude === null || longitude === null ? null : { latitude, longitude },
    default: row.key === DEFAULT_LOCATION,
    enabled: row.enabled,
    canaryTargets: row.canaryTargets,
    degradedAfterMs: row.degradedAfterMs,
    workers: workers.map(({ id, version, startedAt, lastSeenAt, busyPercent }) => ({
      id,
      version,
      startedAt: new Date(startedAt).toISOString(),
      lastSeenAt: new Date(lastSeenAt).toISOString(),
      busyPercent,
    })),
    status: workers.length === 0 ? 'offline' : late,
    lagMs,
    checksPerSecond: Math.round(workers.reduce((sum, one) => sum + one.checksPerSecond, 0) * 10) / 10,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
