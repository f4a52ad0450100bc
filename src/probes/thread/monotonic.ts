/**
 * Returns milliseconds of the monotonic clock, the same in all threads; `performance.now()` has another zero in each.
 * That zero is not worked out once from a pair of readings: a thread that is suspended between the two would be wrong
 * by that time for as long as it lives.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
