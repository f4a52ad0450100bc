import { expect } from '@jest/globals';
import { type MetricsService } from '../../src/modules/metrics/metrics.service.js';
import { type TestApp } from './app.js';
import { Scrape } from './exposition.js';

export const METRICS_TOKEN = 'a token of the tests';

/** Scrapes the metrics port, with the names of all monitors that have been checked, and what waits at this moment. */
export async function scrape(app: TestApp): Promise<Scrape> {
  const metrics = app.backstage.provider<MetricsService>('MetricsService');
  await Promise.all([metrics.nameSeries(), metrics.countBacklog()]);
  return scrapeAt(app.metricsOrigin!);
}

/** Scrapes a process at this origin. */
export async function scrapeAt(origin: string): Promise<Scrape> {
  const answer = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return new Scrape(await answer.text());
}
