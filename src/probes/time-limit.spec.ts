import { expect, it } from '@jest/globals';
import { cpuMs } from '../../test/support/cpu-time.js';
import { runWithin } from './time-limit.js';

it('lets work end that is quick enough, and throws what it throws', () => {
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
  ['an expression that takes for ever', () => /^(a+)+$/.test(`${'a'.repeat(60)}b`)],
  [
    'an endless sort',
    () => {
      for (;;) Array.from({ length: 10_000 }, Math.random).sort();
    },
  ],
])('cuts off %s', (_, work) => {
  const before = cpuMs();
  expect(['spent', 'held up']).toContain(runWithin(100, work));
  expect(cpuMs() - before).toBeLessThan(2_000);
  expect(runWithin(10_000, () => undefined)).toBe('done');
});

it('tells work that got no processor from work that used its time', () => {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const waits = (): void => {
    for (;;) Atomics.wait(cell, 0, 0, 20);
  };
  expect(runWithin(300, waits)).toBe(process.platform === 'linux' ? 'held up' : 'spent');
});
