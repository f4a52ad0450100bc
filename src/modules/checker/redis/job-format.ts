import { type LocationRules } from '../../../domain/location.js';
import { type CheckJob, type CheckResult } from '../check-queue.js';

/**
 * The format of what is in Redis. Processes of two versions run side by side during an upgrade: a process reads its own
 * format and earlier ones, and leaves later ones to others.
 */
const FORMAT = 1;

/** A batch as it is stored. */
export interface Stored<T> {
  format: number;
  items: readonly T[];
}

/** Batches of earlier versions have only the jobs. */
export interface StoredJobs extends Stored<CheckJob> {
  /** The rules of the location. */
  rules?: LocationRules;
  /** By how many milliseconds the time of slots is ahead of the clock of Redis; negative if it is behind. */
  aheadOfRedisMs?: number;
}
export type StoredResults = Stored<CheckResult>;

/** Verdicts of earlier versions do not say whether their results are stored. */
export interface Verdicts extends StoredResults {
  areStored?: boolean;
}

export function stored<T>(items: readonly T[]): Stored<T> {
  return { format: FORMAT, items };
}

/** Returns whether this version can read a batch. */
export function isReadable({ format }: Stored<unknown>): boolean {
  return format <= FORMAT;
}

/** Returns the items of a batch with at most `most` of them, and `null` for anything else that is stored as one. */
export function itemsOf<T>(batch: Stored<T> | null, most: number): readonly T[] | null {
  const items: unknown = batch?.items;
  return Array.isArray(items) && items.length <= most ? (items as T[]) : null;
}
