/**
 * Where an event stands in the order of the log: era, transaction, sequence. The ids of events and their times do not
 * follow the order of the commits, so a reader that continued from one of them could miss an event that was committed
 * later.
 */
export interface EventPosition {
  era: number;
  /** Decimal digits, because transaction ids may exceed the integers of JavaScript. */
  transactionId: string;
  sequence: string;
}

/** SQL: the era of the installation; a database that has not been started yet has no row about itself. */
export const ERA = '(SELECT coalesce(max(era), 1) FROM instance)';

/**
 * SQL condition: no event before this one can still be committed. Only such events are shown, so that a reader that
 * has seen one has seen all before it. `e` is the table of events.
 */
export const SETTLED = `(e.era < ${ERA}
  OR e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())::text::bigint)`;

/** Returns whether `a` stands after `b`. */
export function isAfter(a: EventPosition, b: EventPosition): boolean {
  if (a.era !== b.era) return a.era > b.era;
  const [of, than] = [BigInt(a.transactionId), BigInt(b.transactionId)];
  return of === than ? BigInt(a.sequence) > BigInt(b.sequence) : of > than;
}

/** How many transactions may lie between two positions, at most, that are {@link isNear near} each other. */
const NEAR = 10_000n;

/** Returns whether so little may lie between a position and a later one that all of it can be read at once. */
export function isNear(from: EventPosition, to: EventPosition): boolean {
  return from.era === to.era && BigInt(to.transactionId) - BigInt(from.transactionId) <= NEAR;
}
