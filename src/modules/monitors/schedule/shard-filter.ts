/**
 * Returns an SQL condition on a column with ids of monitors: that they are in the shards whose array is the parameter
 * `position`, of as many as the parameter after it. Null parameters select all monitors.
 */
export function inShards(column: string, position: number): string {
  return `($${position}::integer[] IS NULL OR shard_of(${column}, $${position + 1}) = ANY($${position}))`;
}
