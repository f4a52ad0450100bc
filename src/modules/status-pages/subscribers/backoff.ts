const MAX_MINUTES = 60;

/** Returns the minutes between an attempt to inform a subscriber that failed and the next one: 1, 2, 4, … 60. */
export function backoffMinutes(earlierFailures: number): number {
  return Math.min(MAX_MINUTES, 2 ** Math.min(earlierFailures, 6));
}
