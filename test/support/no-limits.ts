/** Settings: tests call as fast as they can, all from one address: those of the limits set their own. */
export const NO_LIMITS = { RATE_LIMIT_PER_MINUTE: '0', AUTH_FAILURES_PER_MINUTE: '0' };
