import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseAway } from './database-fault.js';

/** Returns the result of `work`; `away` if the database is away or has not responded for `patienceMs`. */
export async function unlessAway<T>(patienceMs: number, work: () => Promise<T>): Promise<T | 'away'> {
  const patience = new AbortController();
  const over = delay(patienceMs, 'away' as const, { signal: patience.signal });
  over.catch(() => undefined);
  try {
    return await Promise.race([work(), over]);
  } catch (error) {
    if (isDatabaseAway(error)) return 'away';
    throw error;
  } finally {
    patience.abort();
  }
}
