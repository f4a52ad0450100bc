import { expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { CheckerFault } from '../evaluation.js';
import { EvaluationShares } from './evaluation-shares.js';

const endless = (): void => {
  for (;;);
};

it('interrupts long evaluations, and refuses those of a team that has used up its share for a while', async () => {
  const shares = new EvaluationShares();
  const endings: string[] = [];
  const startedAt = performance.now();
  for (let time = 0; time < 10; time += 1) {
    try {
      endings.push(String(shares.run('greedy', endless)));
    } catch (error) {
      expect(error).toBeInstanceOf(CheckerFault);
      endings.push('refused');
    }
  }
  expect(performance.now() - startedAt).toBeLessThan(15_000);
  expect(endings.at(-1)).toBe('refused');
  expect(shares.run('another', () => undefined)).toBe(true);
  await delay(500);
  expect(shares.run('greedy', () => undefined)).toBe(true);
});

it('does not charge short evaluations', () => {
  const shares = new EvaluationShares();
  let ran = 0;
  for (let time = 0; time < 5_000; time += 1) shares.run('busy', () => (ran += 1));
  expect(ran).toBe(5_000);
});

const onLinux = process.platform === 'linux' ? it : it.skip;

onLinux('does not count time in which the thread got no processor', () => {
  const shares = new EvaluationShares();
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const waits = (): void => {
    for (;;) Atomics.wait(cell, 0, 0, 20);
  };
  for (let time = 0; time < 3; time += 1) expect(() => shares.run('patient', waits)).toThrow('too busy');
  expect(shares.run('patient', () => undefined)).toBe(true);
});
