import { describe, expect, it } from '@jest/globals';
import { HOUR_MS, SECOND_MS } from '../../src/domain/durations.js';
import { DETECTOR } from './detector.js';
import { judgeMonitor } from './judge.js';
import { ALERT_MUTANTS } from './alert-mutants.js';
import { MUTANTS, mutated } from './mutants.js';
import { runSeed } from './run.js';
import { drawScript } from './script.js';
import { Verdict } from './verdict.js';

const SEED = 1;
const DAYS = 20;
/** Monitors in which a mutant must be found. */
const MOST_MONITORS = 80;

describe('the rules of the service', () => {
  it('report scripted outages within the documented bounds, despite faults of the service', () => {
    const { findings, counts } = runSeed({ seed: SEED, days: DAYS, monitors: 60 });
    expect(findings).toEqual([]);
    expect(counts.certain).toBeGreaterThan(100);
    expect(counts.lossConfirmed).toBeGreaterThan(0);
    expect(counts.messages).toBeGreaterThan(1_000);
  }, 120_000);

  it('report an outage as down throughout if each check takes as long as the interval', () => {
    const script = drawScript(1, 0, 2);
    const outage = { from: script.createdAt + 12 * HOUR_MS, to: script.createdAt + 24 * HOUR_MS };
    const verdict = new Verdict(1);
    const plan = { ...script.plan, intervalMs: 5 * SECOND_MS, timeoutMs: 5 * SECOND_MS };
    const targets = [[{ ...outage, kind: 'down' as const, failsAtDeadline: true, loss: 0 }]];
    const nothing = { own: [], clockSteps: [], maintenance: [] };
    judgeMonitor({ ...script, ...nothing, plan, targets }, DETECTOR, true, verdict);
    expect(verdict.findings).toEqual([]);
    expect(verdict.counts).toMatchObject({ certain: 1, detected: 1 });
  });
});

describe('the judge', () => {
  it.each([...MUTANTS, ...ALERT_MUTANTS].map((mutant) => [mutant.name, mutant] as const))(
    'detects that %s',
    (_, mutant) => {
      const verdict = new Verdict(SEED);
      const { first, found, name } = mutant;
      let index = first;
      for (; index < first + MOST_MONITORS; index += 1) {
        judgeMonitor(drawScript(SEED, index, DAYS), mutated(mutant), found === 'order', verdict);
        if (verdict.count(found) > 0) break;
      }
      expect([name, verdict.count(found) > 0]).toEqual([name, true]);
      const unbroken = new Verdict(SEED);
      judgeMonitor(drawScript(SEED, index, DAYS), DETECTOR, false, unbroken);
      expect([name, unbroken.count(found)]).toEqual([name, 0]);
    },
    600_000,
  );
});
