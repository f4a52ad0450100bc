/**
 * Returns milliseconds of the monotonic clock, the same in all threads; `performance.now()` has a different origin in
 * each. The difference must not be calculated once from a pair of readings: if a thread were suspended between the two,
 * its clock would be wrong by that time for the rest of its life.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
