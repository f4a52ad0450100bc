import { type DataSource } from 'typeorm';
import { type Bucket, roomIn, type Taken } from './token-bucket.js';

const FULL_IN = `RETURNING (extract(epoch FROM full_at - clock_timestamp()) * 1000000)::float8 AS "fullInMicros"`;
/**
 * Takes all tokens or none: no row is returned if the bucket has fewer. The clock is read once the row is locked, so
 * that requests of several processes are ordered in time; a later reading only finds more tokens.
 */
const TAKE = `INSERT INTO rate_limits AS l (key_id, full_at) VALUES ($1, clock_timestamp() + $2::interval)
  ON CONFLICT (key_id) DO UPDATE SET full_at = greatest(l.full_at, clock_timestamp()) + $2
  WHERE l.full_at <= clock_timestamp() + $3::interval ${FULL_IN}`;
/** Repairs a row beyond an empty bucket, which appears if the clock was set back or the limit raised. */
const LOOK = `UPDATE rate_limits SET full_at = least(full_at, clock_timestamp() + $2::interval) WHERE key_id = $1 ${FULL_IN}`;

const micros = (count: number): string => `${count} microseconds`;

/** The buckets of all keys, shared by every process on the same database. */
export class BucketStore {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Takes the given number of tokens from a key's bucket, or as many as it has. No token is granted twice, however many
   * processes take them. Needs one statement, unless the bucket runs out.
   */
  async take(keyId: string, wanted: number, bucket: Bucket): Promise<Taken> {
    for (let tokens = Math.min(wanted, bucket.burst); ;) {
      const after = await this.takeAll(keyId, tokens, bucket);
      if (after !== null) return { granted: tokens, fullInMicros: after };
      const fullInMicros = await this.look(keyId, bucket);
      const room = roomIn(bucket, fullInMicros);
      if (room === 0) return { granted: 0, fullInMicros };
      tokens = Math.min(tokens, room);
    }
  }

  private async takeAll(keyId: string, tokens: number, { burst, stepMicros }: Bucket): Promise<number | null> {
    const parameters = [keyId, micros(tokens * stepMicros), micros((burst - tokens) * stepMicros)];
    const [row]: { fullInMicros: number }[] = await this.dataSource.query(TAKE, parameters);
    return row?.fullInMicros ?? null;
  }

  private async look(keyId: string, { burst, stepMicros }: Bucket): Promise<number> {
    // For an UPDATE, the driver returns the rows and their number.
    const [[row]]: [{ fullInMicros: number }[]] = await this.dataSource.query(LOOK, [
      keyId,
      micros(burst * stepMicros),
    ]);
    return row?.fullInMicros ?? 0;
  }
}
