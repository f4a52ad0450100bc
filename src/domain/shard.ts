/**
 * A part of all monitors, which one process serves at a time: a number from 0 to `SHARDS` - 1, or all monitors, if
 * processes do not share them.
 */
export type Shard = number | 'all';

/**
 * Returns the shard of a monitor. Uses random bits of its UUIDv7 by which no thread is chosen, so that the monitors
 * of a shard are spread over all threads. The SQL function `shard_of` returns the same.
 */
export function shardOf(monitorId: string, shards: number): number {
  return Number.parseInt(monitorId.slice(24, 28), 16) % shards;
}

/** The monitors that something applies to: those of one of `shards` shards, or all if both are `null`. */
export interface ShardScope {
  shard: number | null;
  shards: number | null;
}

export function isInScope(monitorId: string, { shard, shards }: ShardScope): boolean {
  return shard === null || shardOf(monitorId, shards!) === shard;
}

/**
 * Returns how many of `shards` shards a member of a group has: as many as every other, or one more, and together all.
 *
 * @param members ids of all members, in any order
 */
export function shareOf(member: string, members: readonly string[], shards: number): number {
  const rank = [...members].sort().indexOf(member);
  if (rank === -1) return 0;
  return Math.floor(shards / members.length) + (rank < shards % members.length ? 1 : 0);
}
