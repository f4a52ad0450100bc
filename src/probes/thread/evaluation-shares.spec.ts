import { expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { CheckerFault, HELD_UP } from '../evaluation.js';
import { threadTimeMs } from '../time-limit.js';
import { EvaluationShares } from './evaluation-shares.js';

const endless = (): void => {
  for (;;);
};

/** Uses 10 ms of processor time. */
const short = (): void => {
  const endMs = threadTimeMs() + 10;
  while (threadTimeMs() < endMs);
};

/** Runs a short evaluation; again if the thread got no processor meanwhile. */
function evaluate(shares: EvaluationShares, team: string): boolean {
  for (;;) {
    try {
      return shares.run(team, short);
    } catch (error) {
      if (!(error instanceof CheckerFault) || error.message !== HELD_UP) throw error;
    }
  }
}

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
  expect(evaluate(shares, 'another')).toBe(true);
  await delay(500);
  expect(evaluate(shares, 'greedy')).toBe(true);
});

it('does not charge short evaluations', () => {
  const shares = new EvaluationShares();
  for (let time = 0; time < 200; time += 1) expect(evaluate(shares, 'busy')).toBe(true);
});

it('charges short evaluations where even those would delay others', () => {
  const shares = new EvaluationShares({ freeMs: 1, share: 0.05 });
  const many = (): void => {
    for (let time = 0; time < 200; time += 1) evaluate(shares, 'busy');
  };
  expect(many).toThrow('more than its share');
  expect(evaluate(shares, 'another')).toBe(true);
});

const onLinux = process.platform === 'linux' ? it : it.skip;

onLinux('does not count time in which the thread got no processor', () => {
  const shares = new EvaluationShares();
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const waits = (): void => {
    for (;;) Atomics.wait(cell, 0, 0, 20);
  };
  for (let time = 0; time < 3; time += 1) expect(() => shares.run('patient', waits)).toThrow('too busy');
  expect(evaluate(shares, 'patient')).toBe(true);
});
