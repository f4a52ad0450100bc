import { expect, it } from '@jest/globals';
import { cpuMs } from '../../test/support/cpu-time.js';
import { runWithin } from './time-limit.js';

it('completes work that is fast enough, and rethrows its errors', () => {
  let ran = 0;
  expect(runWithin(10_000, () => (ran += 1))).toBe('done');
  expect(ran).toBe(1);
  const fault = new Error('its own');
  expect(() =>
    runWithin(10_000, () => {
      throw fault;
    }),
  ).toThrow(fault);
});

it.each<[string, () => void]>([
  [
    'an endless loop',
    () => {
      for (;;);
    },
  ],
  ['a regular expression of exponential time', () => /^(a+)+$/.test(`${'a'.repeat(60)}b`)],
  [
    'an endless sort',
    () => {
      for (;;) Array.from({ length: 10_000 }, Math.random).sort();
    },
  ],
])('interrupts %s', (_, work) => {
  const before = cpuMs();
  expect(['spent', 'held up']).toContain(runWithin(100, work));
  expect(cpuMs() - before).toBeLessThan(2_000);
  expect(runWithin(10_000, () => undefined)).toBe('done');
});

it('distinguishes work that got no processor time from work that used up its time', () => {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const waits = (): void => {
    for (;;) Atomics.wait(cell, 0, 0, 20);
  };
  expect(runWithin(300, waits)).toBe(process.platform === 'linux' ? 'held up' : 'spent');
});
