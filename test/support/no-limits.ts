/** Settings without rate limits: tests call as fast as they can from one address. Tests of the limits override them. */
export const NO_LIMITS = { RATE_LIMIT_PER_MINUTE: '0', AUTH_FAILURES_PER_MINUTE: '0' };
