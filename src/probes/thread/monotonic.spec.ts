import { expect, it } from '@jest/globals';
import { Worker } from 'node:worker_threads';

const MODULE = new URL('./monotonic.js', import.meta.url).href;
const hrtimeMs = (): number => Number(process.hrtime.bigint()) / 1e6;

it('is correct although the thread was suspended while the module was loaded', async () => {
  const { hrtime } = process;
  process.hrtime = Object.assign(
    () => {
      const reading = hrtime();
      for (const until = performance.now() + 50; performance.now() < until;);
      return reading;
    },
    { bigint: () => hrtime.bigint() },
  );
  const { monotonicMs } = await import('./monotonic.js');
  process.hrtime = hrtime;
  const before = hrtimeMs();
  const reading = monotonicMs();
  expect(reading).toBeGreaterThanOrEqual(before);
  expect(reading).toBeLessThanOrEqual(hrtimeMs());
});

it('is the same in every thread', async () => {
  const before = hrtimeMs();
  const script = `import('${MODULE}').then(({ monotonicMs }) =>
    require('node:worker_threads').parentPort.postMessage(monotonicMs()))`;
  const worker = new Worker(script, { eval: true });
  const reading = await new Promise<number>((resolve, reject) => worker.on('message', resolve).on('error', reject));
  await worker.terminate();
  expect(reading).toBeGreaterThanOrEqual(before);
  expect(reading).toBeLessThanOrEqual(hrtimeMs());
});
