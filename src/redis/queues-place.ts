/**
 * Returns where the queues of an installation are in Redis, whatever the address of the server: the number of the
 * database and the prefix of the keys, such as `0 daywatch`.
 */
export function queuesPlace(url: string, prefix: string): string {
  return `${new URL(url).pathname.slice(1) || '0'} ${prefix}`;
}
