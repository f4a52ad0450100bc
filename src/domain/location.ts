/** The location of processes that have no other. */
export const DEFAULT_LOCATION = 'default';

/** What checks at a location depend on apart from their monitors. */
export interface LocationRules {
  /** Services that prove that the location has a network; if none, the worker's own `CANARY_TARGETS` apply. */
  canaryTargets: readonly { host: string; port: number }[];
  /** Lower limits of monitors are raised to this, because responses take longer from far away; `null` for no change. */
  degradedAfterMs: number | null;
}

/** The rules of a location that has no settings. */
export const NO_RULES: LocationRules = Object.freeze({ canaryTargets: [], degradedAfterMs: null });
