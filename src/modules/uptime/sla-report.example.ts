import { toCsv } from './sla-report.csv.js';

const FIGURES = {
  uptimePercent: 99.952,
  coveragePercent: 100,
  monitoredSeconds: 2_592_000,
  downSeconds: 1_240.5,
  incidentCount: 2,
  mttrSeconds: 620.25,
  mtbfSeconds: 1_295_379.75,
  errorBudgetSeconds: 2_592,
  errorBudgetConsumedSeconds: 1_240.5,
  errorBudgetRemainingSeconds: 1_351.5,
  burnRate: 0.4786,
  met: true,
};

/** An example report as CSV, for the documentation. */
export const CSV_EXAMPLE = toCsv({
  from: '2026-01-01T00:00:00.000Z',
  to: '2026-01-31T00:00:00.000Z',
  timezone: 'UTC',
  computedAt: '2026-02-05T12:00:00.000Z',
  method: 'confirmed-seconds/1',
  targetPercent: 99.9,
  raw: false,
  monitors: [
    { monitorId: '0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55', key: 'checkout-api', name: 'Checkout API', ...FIGURES },
  ],
  total: { monitorCount: 1, ...FIGURES },
});
