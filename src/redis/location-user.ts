import { workersKey } from './worker-report.js';

/**
 * What a worker may do in Redis: read and write its own queues. Commands that show or remove the keys of others are
 * excluded, because the key patterns do not apply to them.
 */
const COMMANDS = [
  '+@read',
  '+@write',
  '-@dangerous',
  '-scan',
  '-randomkey',
  '-dbsize',
  '+eval',
  '+evalsha',
  '+script|load',
  '+time',
  '+ping',
  '+info',
  '+client|setname',
];

/**
 * Returns the Redis command that creates the user of the workers of a location, who can read and write what concerns
 * that location only.
 */
export function locationUser(prefix: string, location: string, shards: number, password: string): string {
  const queues = [
    `checks-${location}`,
    `trials-${location}`,
    // Each by name, because a pattern would also match those of a location whose key begins with the same letters.
    ...Array.from({ length: shards }, (_, shard) => `results-${location}-${shard}`),
  ];
  const keys = [workersKey(prefix, location), ...queues.map((queue) => `${prefix}:${queue}:*`)];
  const patterns = keys.map((key) => `~${key}`);
  return ['ACL SETUSER', userName(prefix, location), 'reset', 'on', `>${password}`, ...patterns, ...COMMANDS].join(' ');
}

/** A key that all processes and the users of workers, also those created by earlier versions, may write. */
export function accessKey(prefix: string, location: string): string {
  return `${prefix}:checks-${location}:access`;
}

/** The name of that user. */
export function userName(prefix: string, location: string): string {
  return `${prefix}-${location}`;
}
