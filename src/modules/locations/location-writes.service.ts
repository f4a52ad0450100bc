import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { managerOf, Transactions, type Tx } from '../../database/tx.js';
import { isUniqueViolation } from '../../database/unique-violation.js';
import { DEFAULT_LOCATION } from '../../domain/location.js';
import { DISAGREES, NO_WORKER } from '../../domain/unobserved.js';
import { beginDisabled, endDisabled } from '../monitors/history/disabled-locations.query.js';
import { LocationLossesService } from '../monitors/history/location-losses.service.js';
import { type LocationDefinition, readLocation } from './location-definition.js';
import { Location } from './location.entity.js';

/** Changes locations, on behalf of the operator. */
@Injectable()
export class LocationWritesService {
  constructor(
    @InjectRepository(Location) private readonly locations: Repository<Location>,
    private readonly transactions: Transactions,
    private readonly losses: LocationLossesService,
  ) {}

  /** Returns all locations, by key. */
  all(): Promise<Location[]> {
    return this.locations.find({ order: { key: 'ASC' } });
  }

  /** Creates a location. @throws 422, or an error that says that there is one with this key */
  async create(definition: LocationDefinition): Promise<void> {
    const location = { id: uuidv7(), ...readLocation(definition) };
    try {
      await this.transactions.run(async (tx) => {
        await managerOf(tx).insert(Location, location);
        if (!location.enabled) await beginDisabled(tx, location.key, Date.now());
      });
    } catch (error) {
      if (!isUniqueViolation(error, 'locations_key')) throw error;
      throw new Error(`There is already a location with the key ${location.key}.`, { cause: error });
    }
  }

  /** Changes a location, except for its key. @throws 422, or an error that says that there is none */
  async update(key: string, changes: Partial<Omit<LocationDefinition, 'key'>>): Promise<void> {
    await this.transactions.run(async (tx) => {
      const before = await this.locked(tx, key);
      const { id } = before;
      const after = readLocation({ ...definitionOf(before), ...changes });
      await managerOf(tx).update(Location, { id }, { ...after, updatedAt: () => 'now()' });
      if (before.enabled && !after.enabled) await beginDisabled(tx, key, Date.now());
      if (!before.enabled && after.enabled) await endDisabled(tx, key, Date.now());
    });
  }

  /** Removes a location that no monitor uses. @throws an error that says why it cannot be removed */
  async remove(key: string): Promise<void> {
    if (key === DEFAULT_LOCATION) throw new Error('The location default cannot be removed, only disabled.');
    await this.transactions.run(async (tx) => {
      const { id, enabled, offlineSince, votelessSince } = await this.locked(tx, key);
      const [{ count }] = await managerOf(tx).query<[{ count: number }]>(
        'SELECT count(*)::int AS count FROM monitors WHERE $1 = ANY(locations)',
        [key],
      );
      if (count > 0) throw new Error(`The location ${key} is in use by ${count} monitors. Remove it from them first.`);
      await managerOf(tx).delete(Location, { id });
      const nowMs = Date.now();
      // Another location may get the same key later.
      if (!enabled) await endDisabled(tx, key, nowMs);
      if (votelessSince) await this.losses.endNoVote(tx, key, nowMs);
      // Nothing else would end the alerts about it.
      const end = (errorCode: string, since: Date) =>
        this.losses.end(tx, { location: key, since: since.getTime(), errorCode }, nowMs);
      if (offlineSince) await end(NO_WORKER, offlineSince);
      if (votelessSince) await end(DISAGREES, votelessSince);
    });
  }

  /** Returns a location, and keeps monitors from being added to it until the transaction ends. */
  private async locked(tx: Tx, key: string): Promise<Location> {
    const found = await managerOf(tx).findOne(Location, { where: { key }, lock: { mode: 'pessimistic_write' } });
    if (!found) throw new Error(`There is no location with the key ${key}.`);
    return found;
  }
}

/** Returns the part of a location that its operator states. */
function definitionOf(location: Location): LocationDefinition {
  const { key, name, country, latitude, longitude, enabled, canaryTargets, degradedAfterMs } = location;
  return { key, name, country, latitude, longitude, enabled, canaryTargets, degradedAfterMs };
}
