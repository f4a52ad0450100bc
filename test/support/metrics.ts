import { expect } from '@jest/globals';
import { MetricsListenerService } from '../../src/modules/metrics/metrics-listener.service.js';
import { MetricsService } from '../../src/modules/metrics/metrics.service.js';
import { type TestApp } from './app.js';
import { Scrape } from './exposition.js';

export const METRICS_TOKEN = 'a token of the tests';

/** Where the metrics of an application are beside its API. */
export function metricsOrigin(app: TestApp): string {
  return app.nest.get(MetricsListenerService, { strict: false }).origin!;
}

/** A scrape by the port of the metrics, with the names of all monitors that have been checked. */
export async function scrape(app: TestApp): Promise<Scrape> {
  await app.nest.get(MetricsService, { strict: false }).nameSeries();
  const answer = await fetch(`${metricsOrigin(app)}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return new Scrape(await answer.text());
}
