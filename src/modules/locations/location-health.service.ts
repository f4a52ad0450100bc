import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, Repository } from 'typeorm';
import { managerOf, type Tx } from '../../database/tx.js';
import { Location } from './location.entity.js';

/** What is wrong with a location, and since when, in epoch milliseconds. */
export interface LocationHealth {
  key: string;
  enabled: boolean;
  offlineSince: number | null;
  votelessSince: number | null;
}

type Fault = 'offlineSince' | 'votelessSince';

/** Keeps what was found out about locations, so that each loss and each return is reported once. */
@Injectable()
export class LocationHealthService {
  constructor(@InjectRepository(Location) private readonly locations: Repository<Location>) {}

  async read(): Promise<LocationHealth[]> {
    const rows = await this.locations.find({ order: { key: 'ASC' } });
    return rows.map(({ key, enabled, offlineSince, votelessSince }) => ({
      ...{ key, enabled },
      offlineSince: offlineSince?.getTime() ?? null,
      votelessSince: votelessSince?.getTime() ?? null,
    }));
  }

  /** Notes that a fault began. Returns whether it is new. */
  async begin(tx: Tx, key: string, fault: Fault, sinceMs: number): Promise<boolean> {
    const changes = { [fault]: new Date(sinceMs) };
    return (await managerOf(tx).update(Location, { key, [fault]: IsNull() }, changes)).affected === 1;
  }

  /** Notes that a fault is over. Returns whether that is new. */
  async end(tx: Tx, key: string, fault: Fault): Promise<boolean> {
    const changes = { [fault]: null };
    return (await managerOf(tx).update(Location, { key, [fault]: Not(IsNull()) }, changes)).affected === 1;
  }
}
