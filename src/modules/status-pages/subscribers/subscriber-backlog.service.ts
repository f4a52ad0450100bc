import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** What waits to be sent to subscribers, of all processes together. */
export interface SubscriberBacklog {
  /** Publications, once for each subscriber. */
  pending: number;
  /** How long ago the oldest of them was published, in milliseconds; 0 if there is none. */
  oldestMs: number;
}

const MAX_COUNTED = 100_000;
/** What is older was given up. */
const MAX_AGE = "interval '2 days'";

/** Reads how much waits to be sent to subscribers. Counts at most 100,000. */
@Injectable()
export class SubscriberBacklogs {
  constructor(private readonly dataSource: DataSource) {}

  async read(nowMs = Date.now()): Promise<SubscriberBacklog> {
    const [row]: { pending: number; oldest: Date | null }[] = await this.dataSource.query(
      `SELECT
         (SELECT count(*)::int FROM (
            SELECT FROM subscriber_deliveries WHERE status = 'pending' LIMIT ${MAX_COUNTED}) AS counted) AS pending,
         (SELECT min(p.published_at) FROM subscriber_publications p
          WHERE p.published_at > $1::timestamptz - ${MAX_AGE} AND EXISTS (
            SELECT FROM subscriber_deliveries d WHERE d.publication_id = p.id AND d.status = 'pending')) AS oldest`,
      [new Date(nowMs)],
    );
    const { pending, oldest } = row!;
    return { pending, oldestMs: oldest === null ? 0 : Math.max(0, nowMs - oldest.getTime()) };
  }
}
