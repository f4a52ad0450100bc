const [seconds, nanoseconds] = process.hrtime();
/** What this thread's `performance.now()` was at the zero of the clock that all threads share. */
const ZERO = performance.now() - (seconds * 1e3 + nanoseconds / 1e6);

/** Milliseconds of the monotonic clock, the same in all threads; `performance.now()` has another zero in each. */
export function monotonicMs(): number {
  return performance.now() - ZERO;
}
