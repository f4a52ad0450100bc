import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fuzz } from './run.js';
import { type FuzzedService, startFuzzedApp } from './service.js';

/** The number of requests. More take longer and find more: `FUZZ_COUNT=20000`, or `npm run fuzz`. */
const COUNT = Number(process.env.FUZZ_COUNT ?? 1_600);
const SEED = Number(process.env.FUZZ_SEED ?? 1);

let service: FuzzedService;
beforeAll(async () => {
  service = await startFuzzedApp();
});
afterAll(() => service?.close());

const RARE = [
  // Succeeds only for a heartbeat monitor.
  'POST /v1/monitors/{id}/rotate-token',
  // Succeeds only while a notification waits for a receiver that fails.
  'POST /v1/notifications/{id}/retry',
  // Succeeds only with a signature.
  'POST /provider-webhooks/pagerduty/{channelId}',
  'POST /webhooks/mail-events',
];

describe('the service', () => {
  it(
    `responds correctly to ${COUNT} requests drawn from the OpenAPI document with seed ${SEED}`,
    async () => {
      const { app, targetOrigin } = service;
      const report = await fuzz(app, { seed: SEED, count: COUNT, concurrency: 6, targetOrigin, rare: RARE });
      expect(report.text()).toBe('');
      expect(report.neverSucceeded().filter((one) => !RARE.includes(one))).toEqual([]);
    },
    60_000 + COUNT * 200,
  );
});
