import { Initial1795132800000 } from './1795132800000-initial.js';
import { RateLimits1795188960000 } from './1795188960000-rate-limits.js';

/** Every migration, oldest first. Listed, not found by a pattern: a stale file of an earlier build must not run. */
export const MIGRATIONS = [Initial1795132800000, RateLimits1795188960000];
