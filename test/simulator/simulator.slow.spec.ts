import { describe, expect, it } from '@jest/globals';
import { DETECTOR } from './detector.js';
import { HOUR, SECOND } from './draws.js';
import { judgeMonitor } from './judge.js';
import { MUTANTS, mutated } from './mutants.js';
import { runSeed } from './run.js';
import { drawScript } from './script.js';
import { Verdict } from './verdict.js';

const SEED = 1;
const DAYS = 20;

describe('monitors whose targets and whose own faults are known', () => {
  it('are told as they are', () => {
    const { findings, counts } = runSeed({ seed: SEED, days: DAYS, monitors: 60 });
    expect(findings).toEqual([]);
    expect(counts.certain).toBeGreaterThan(100);
    expect(counts.lossConfirmed).toBeGreaterThan(0);
  }, 120_000);

  it('are down all the time where each check takes as long as the interval', () => {
    const script = drawScript(1, 0, 2);
    const outage = { from: script.createdAt + 12 * HOUR, to: script.createdAt + 24 * HOUR };
    const verdict = new Verdict(1);
    const plan = { ...script.plan, intervalMs: 5 * SECOND, timeoutMs: 5 * SECOND };
    const targets = [[{ ...outage, kind: 'down' as const, failsAtDeadline: true, loss: 0 }]];
    const nothing = { own: [], clockSteps: [], maintenance: [] };
    judgeMonitor({ ...script, ...nothing, plan, targets }, DETECTOR, true, verdict);
    expect(verdict.findings).toEqual([]);
    expect(verdict.counts).toMatchObject({ certain: 1, detected: 1 });
  });
});

describe('a detector with a broken rule', () => {
  it.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))(
    'is found out: %s',
    (_, mutant) => {
      const verdict = new Verdict(SEED);
      // The first one is checked every 30 seconds: most of the time, for nothing more.
      for (let index = 1; index < 40 && verdict.count(mutant.found) === 0; index += 1) {
        judgeMonitor(drawScript(SEED, index, DAYS), mutated(mutant), index === 1, verdict);
      }
      expect(verdict.count(mutant.found)).toBeGreaterThan(0);
    },
    120_000,
  );
});
