import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fuzz } from './run.js';
import { type FuzzedService, startFuzzedApp } from './service.js';

/** More of them take longer and find more: `FUZZ_COUNT=20000`, or `npm run fuzz`. */
const COUNT = Number(process.env.FUZZ_COUNT ?? 1_600);
const SEED = Number(process.env.FUZZ_SEED ?? 1);

let service: FuzzedService;
beforeAll(async () => {
  service = await startFuzzedApp();
});
afterAll(() => service?.close());

describe('requests that are drawn from the OpenAPI document', () => {
  it(
    `find nothing in ${COUNT} of seed ${SEED}`,
    async () => {
      const { app, targetOrigin } = service;
      const report = await fuzz(app, { seed: SEED, count: COUNT, concurrency: 6, targetOrigin });
      expect(report.text()).toBe('');
      expect(report.neverSucceeded()).toEqual([]);
    },
    60_000 + COUNT * 200,
  );
});
