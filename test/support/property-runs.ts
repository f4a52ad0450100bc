/** A tenth of the runs finds most faults at once and the others over time, because each test run draws new values. */
const SHARE = process.env.PROPERTY_RUNS === 'all' ? 1 : 0.1;

/** Returns the number of runs of a costly property: `all` in `npm run test:properties`, a tenth of that otherwise. */
export function propertyRuns(all: number): { numRuns: number } {
  return { numRuns: Math.ceil(all * SHARE) };
}
