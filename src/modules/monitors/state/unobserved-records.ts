import { type EntityManager } from 'typeorm';
import { DEFAULT_LOCATION } from '../../../domain/location.js';
import { decide } from '../../../domain/quorum.js';
import { DISAGREES, NO_RESULTS, type Unobserved } from '../../../domain/unobserved.js';
import { groupBy } from '../../../domain/group-by.js';
import { type LockedMonitor, readLocations, readNames } from './state-records.js';

/** A locked monitor that is not observed, with what its event states. Times are epoch milliseconds. */
export interface UnobservedRow extends Unobserved {
  monitorId: string;
  key: string | null;
  name: string;
  /** Where the latest check was made. */
  location: string;
  unobservedSince: number;
  /** The status that results confirmed last. */
  previousStatus: string;
  message: string;
}

const SILENCE = { error_code: NO_RESULTS, error_message: 'No check has returned a result.' };
const UNCOUNTED = {
  error_code: DISAGREES,
  error_message: 'The results of its checks do not count, because they contradict those from other locations.',
};

/**
 * Returns why these locked monitors are not observed, in their order. The cause is the error of the latest check if that
 * was made after the last known result; otherwise that its location has no vote, or that there are no results.
 * @param countedFrom from when on the time counts, by monitor
 */
export async function readUnobserved(
  manager: EntityManager,
  monitors: readonly LockedMonitor[],
  countedFrom: ReadonlyMap<string, number>,
): Promise<UnobservedRow[]> {
  const ids = monitors.map(({ monitorId }) => monitorId);
  const names = await readNames(manager, ids);
  const locations = groupBy([...(await readLocations(manager, ids)).values()], ({ monitorId }) => monitorId);
  const latest = monitors.map(({ monitorId }) => {
    const rows = locations.get(monitorId) ?? [];
    return rows.toSorted((a, b) => (b.lastCheckAt ?? 0) - (a.lastCheckAt ?? 0))[0];
  });
  const failures = await readFailures(
    manager,
    latest.flatMap((row) => {
      const known = row?.fold.last?.checkedAt ?? 0;
      return row?.lastCheckAt != null && row.lastCheckAt > known ? { ...row, checkedAt: row.lastCheckAt } : [];
    }),
  );
  const voteless = await readVoteless(manager);
  return monitors.flatMap(({ monitorId, quorum, shown }, index): UnobservedRow[] => {
    const named = names.get(monitorId);
    if (!named) return [];
    const { teamId, key, name } = named;
    const location = latest[index]?.location ?? DEFAULT_LOCATION;
    const otherwise = voteless.has(location) ? UNCOUNTED : SILENCE;
    const { error_code: cause, error_message: message } = failures.get(monitorId) ?? otherwise;
    const folds = (locations.get(monitorId) ?? []).map(({ fold }) => fold);
    return [
      {
        ...{ monitorId, teamId, key, name, cause, message: message ?? '' },
        location,
        countedFrom: countedFrom.get(monitorId) ?? shown.since,
        unobservedSince: shown.since,
        previousStatus: decide(folds, quorum).status,
      },
    ];
  });
}

/** Returns the locations whose results do not count. */
async function readVoteless(manager: EntityManager): Promise<Set<string>> {
  const rows: { key: string }[] = await manager.query('SELECT key FROM locations WHERE voteless_since IS NOT NULL');
  return new Set(rows.map((row) => row.key));
}

interface FailureRecord {
  error_code: string;
  error_message: string | null;
}

/** Reads the table of checks directly, because that module depends on this one. A slot is at most two days from its check. */
async function readFailures(
  manager: EntityManager,
  places: readonly { monitorId: string; location: string; checkedAt: number }[],
): Promise<Map<string, FailureRecord>> {
  if (places.length === 0) return new Map();
  const rows: (FailureRecord & { monitor_id: string })[] = await manager.query(
    `SELECT DISTINCT ON (c.monitor_id) c.monitor_id, c.error_code, c.error_message
     FROM unnest($1::uuid[], $2::text[], $3::timestamptz[]) AS t (monitor_id, location, checked_at)
     JOIN checks c ON c.monitor_id = t.monitor_id AND c.location = t.location AND c.checked_at = t.checked_at
       AND c.scheduled_at BETWEEN t.checked_at - interval '2 days' AND t.checked_at + interval '1 day'
     WHERE c.status = 'unknown' AND c.error_code IS NOT NULL ORDER BY c.monitor_id, c.scheduled_at DESC`,
    [
      places.map(({ monitorId }) => monitorId),
      places.map(({ location }) => location),
      places.map(({ checkedAt }) => new Date(checkedAt)),
    ],
  );
  return new Map(rows.map((row) => [row.monitor_id, row]));
}
