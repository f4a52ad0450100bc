import { describe, expect, it } from '@jest/globals';
import { drawPlan, FAULT_KINDS, MEMBERS } from './plan.js';

const HALF_AN_HOUR = 1_800_000;

describe('a plan of faults', () => {
  it('depends on the seed only', () => {
    expect(drawPlan(7, HALF_AN_HOUR)).toEqual(drawPlan(7, HALF_AN_HOUR));
    expect(drawPlan(7, HALF_AN_HOUR)).not.toEqual(drawPlan(8, HALF_AN_HOUR));
  });

  it('has every kind of fault, and some for every process, within half an hour', () => {
    const plan = drawPlan(7, HALF_AN_HOUR);
    expect(new Set(plan.map(({ kind }) => kind))).toEqual(new Set(FAULT_KINDS));
    expect(new Set(plan.flatMap(({ member }) => member ?? []))).toEqual(new Set(MEMBERS));
  });

  it('is over before the run is, and interrupts no server that is away', () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const plan = drawPlan(seed, HALF_AN_HOUR);
      expect(Math.max(...plan.map(({ atMs, forMs }) => atMs + forMs))).toBeLessThan(HALF_AN_HOUR);
      for (const server of ['redis', 'postgres', 'cut-off']) {
        const own = plan.filter(({ kind }) => kind.startsWith(server));
        own.slice(1).forEach((one, index) => expect(one.atMs).toBeGreaterThan(own[index]!.atMs + own[index]!.forMs));
      }
    }
  });

  it('can be limited to some kinds and processes', () => {
    const plan = drawPlan(1, HALF_AN_HOUR, { weights: { suspend: 1 }, members: ['api-1'], longestMs: 2_000 });
    expect(plan.length).toBeGreaterThan(100);
    expect(new Set(plan.map(({ kind, member }) => `${kind} ${member}`))).toEqual(new Set(['suspend api-1']));
    expect(Math.max(...plan.map(({ forMs }) => forMs))).toBeLessThanOrEqual(2_000);
  });
});
