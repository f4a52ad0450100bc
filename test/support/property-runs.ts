/** A tenth of all runs finds most faults at once and the rest over time, since each test run draws new values. */
const SHARE = process.env.PROPERTY_RUNS === 'all' ? 1 : 0.1;

/** Returns how often to try a costly property: `all` times in `npm run test:properties`, a tenth of that otherwise. */
export function propertyRuns(all: number): { numRuns: number } {
  return { numRuns: Math.ceil(all * SHARE) };
}
