/** How long a monitor, or everything, must not have been observed before a team is notified. */
export const UNOBSERVED_MS = 300_000;
/**
 * Monitors that have not been observed for this long are reported together with one of the same cause that is due. The
 * checks of monitors are spread over their interval, so without this an alert would name only the first of many.
 */
export const JOINS_AFTER_MS = 240_000;

/** Why a monitor is not observed if its checks return no results at all. All other causes are error codes. */
export const NO_RESULTS = 'no_results';
/** Why a location is not observed: no worker there responds, or its results contradict those of other locations. */
export const NO_WORKER = 'no_worker';
export const DISAGREES = 'disagrees';
/** The cause that is our own, which is therefore reported once, and not for each monitor. */
export const OWN_NETWORK = 'network_unavailable';

/** A monitor of which no result is known. Times are epoch milliseconds. */
export interface Unobserved {
  teamId: string;
  cause: string;
  /** From when on the time counts: later than the missing results if the service was absent meanwhile. */
  countedFrom: number;
}

/** The monitors of a team that are not observed for the same cause, of which one alert notifies. */
export interface UnobservedGroup<M extends Unobserved> {
  teamId: string;
  cause: string;
  /** The group that is open already, whose alert they join; `null` if they open one. */
  groupId: string | null;
  monitors: M[];
}

/** Returns what identifies the open group that a monitor belongs to. */
export function causeKey({ teamId, cause }: Pick<Unobserved, 'teamId' | 'cause'>): string {
  return `${teamId}/${cause}`;
}

/**
 * Returns the groups of monitors that are to be reported now, each in the order of the monitors. Monitors join the open
 * group of their team and cause; without one, a group opens as soon as one of them has not been observed for
 * {@link UNOBSERVED_MS}.
 * @param found monitors that belong to no group, and have not been observed for {@link JOINS_AFTER_MS}
 * @param open the ids of the open groups by {@link causeKey}
 */
export function unobservedGroups<M extends Unobserved>(
  found: readonly M[],
  open: ReadonlyMap<string, string>,
  nowMs: number,
): UnobservedGroup<M>[] {
  const groups = new Map<string, UnobservedGroup<M>>();
  for (const monitor of found) {
    const { teamId, cause } = monitor;
    const key = causeKey(monitor);
    const group = groups.get(key) ?? { teamId, cause, groupId: open.get(key) ?? null, monitors: [] };
    group.monitors.push(monitor);
    groups.set(key, group);
  }
  return [...groups.values()].filter(({ groupId, monitors }) => {
    return groupId !== null || monitors.some(({ countedFrom }) => countedFrom <= nowMs - UNOBSERVED_MS);
  });
}
