import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type MaintenancePlan, type MaintenanceRow, planMaintenance, type PlanInput } from './maintenance-plan.js';
import { type ClosedSpan, coverage } from './span.js';

const row = (from: number, to: number, monitorId = 'a'): MaintenanceRow => ({
  id: `${monitorId}${from}`,
  monitorId,
  from,
  to,
});
const base: PlanInput = { stretches: [], members: ['a'], rows: [], settledMs: 200, nowMs: 100 };
const nothing: MaintenancePlan = { insert: [], end: [], remove: [] };

describe('planMaintenance', () => {
  it.each<[string, Partial<PlanInput>, Partial<MaintenancePlan>]>([
    ['there is nothing', {}, {}],
    ['it comes', { stretches: [{ from: 150, to: 160 }] }, { insert: [{ monitorId: 'a', from: 150, to: 160 }] }],
    ['it begins now', { stretches: [{ from: 100, to: 160 }] }, { insert: [{ monitorId: 'a', from: 100, to: 160 }] }],
    ['it is stored', { stretches: [{ from: 150, to: 160 }], rows: [row(150, 160)] }, {}],
    ['it runs and is stored', { stretches: [{ from: 50, to: 160 }], rows: [row(50, 160)] }, {}],
    [
      'it ran before anybody wrote',
      { stretches: [{ from: 50, to: 160 }] },
      { insert: [{ monitorId: 'a', from: 100, to: 160 }] },
    ],
    ['it is over', { stretches: [{ from: 50, to: 100 }] }, {}],
    ['it runs, and the monitor is in it since later', { stretches: [{ from: 50, to: 160 }], rows: [row(70, 160)] }, {}],
    [
      'it lasts longer',
      { stretches: [{ from: 50, to: 170 }], rows: [row(50, 160)] },
      { end: [{ id: 'a50', monitorId: 'a', to: 170 }] },
    ],
    [
      'it ends earlier',
      { stretches: [{ from: 50, to: 110 }], rows: [row(50, 160)] },
      { end: [{ id: 'a50', monitorId: 'a', to: 110 }] },
    ],
    [
      'it comes later',
      { stretches: [{ from: 155, to: 160 }], rows: [row(150, 160)] },
      { insert: [{ monitorId: 'a', from: 155, to: 160 }], remove: [{ id: 'a150', monitorId: 'a' }] },
    ],
    ['it runs no longer', { rows: [row(50, 160)] }, { end: [{ id: 'a50', monitorId: 'a', to: 100 }] }],
    ['it does not come', { rows: [row(150, 160)] }, { remove: [{ id: 'a150', monitorId: 'a' }] }],
    ['it would begin now', { rows: [row(100, 160)] }, { remove: [{ id: 'a100', monitorId: 'a' }] }],
    [
      'a monitor leaves it',
      { members: [], stretches: [{ from: 50, to: 160 }], rows: [row(50, 160)] },
      { end: [{ id: 'a50', monitorId: 'a', to: 100 }] },
    ],
    [
      'a monitor joins it',
      { members: ['a', 'b'], stretches: [{ from: 50, to: 160 }], rows: [row(50, 160)] },
      { insert: [{ monitorId: 'b', from: 100, to: 160 }] },
    ],
    [
      'nobody wrote for a while: a missed one whole',
      { settledMs: 60, stretches: [{ from: 70, to: 80 }] },
      { insert: [{ monitorId: 'a', from: 70, to: 80 }] },
    ],
    [
      'nobody wrote for a while: one that runs since then',
      { settledMs: 60, stretches: [{ from: 70, to: 160 }] },
      { insert: [{ monitorId: 'a', from: 70, to: 160 }] },
    ],
    [
      'nobody wrote for a while: one that was written and is over, for a later member too',
      { settledMs: 60, members: ['a', 'b'], stretches: [{ from: 50, to: 80 }], rows: [row(50, 80)] },
      {},
    ],
    [
      'nobody wrote for a while: a former member keeps what is over',
      { settledMs: 60, members: [], stretches: [{ from: 50, to: 80 }], rows: [row(50, 80)] },
      {},
    ],
  ])('%s', (_, input, expected) => {
    expect(planMaintenance({ ...base, ...input })).toEqual({ ...nothing, ...expected });
  });

  const spans = fc
    .array(fc.tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 1, max: 60 })), { maxLength: 6 })
    .map((all) =>
      coverage(
        all.map(([from, length]) => ({ from, to: from + length })),
        -Infinity,
        Infinity,
      ),
    );
  const members = fc.subarray(['a', 'b', 'c']);

  it('settles: nothing past changes, what is to come is what was asked for, and a second pass has nothing to do', () => {
    fc.assert(
      fc.property(
        spans,
        members,
        spans,
        members,
        fc.integer({ min: 0, max: 300 }),
        (first, of, second, then, nowMs) => {
          const before = apply(
            [],
            planMaintenance({ stretches: first, members: of, rows: [], settledMs: 0, nowMs: 0 }),
          );
          const input = { stretches: second, members: then, settledMs: nowMs, nowMs };
          const after = apply(before, planMaintenance({ ...input, rows: before.filter(({ to }) => to > nowMs) }));
          for (const id of ['a', 'b', 'c']) {
            const isMember = then.includes(id);
            expect(cover(after, id, -Infinity, nowMs)).toEqual(cover(before, id, -Infinity, nowMs));
            expect(cover(after, id, nowMs, Infinity)).toEqual(isMember ? coverage(second, nowMs, Infinity) : []);
            const own = after.filter(({ monitorId }) => monitorId === id).sort((a, b) => a.from - b.from);
            expect(own.every((one, index) => index === 0 || one.from >= own[index - 1]!.to)).toBe(true);
          }
          const later = { ...input, settledMs: nowMs + 1_000, nowMs: nowMs + 1 };
          expect(planMaintenance({ ...later, rows: after.filter(({ to }) => to > nowMs + 1) })).toEqual(nothing);
        },
      ),
    );
  });
});

function apply(rows: readonly MaintenanceRow[], plan: MaintenancePlan): MaintenanceRow[] {
  const ends = new Map(plan.end.map(({ id, to }) => [id, to]));
  const gone = new Set(plan.remove.map(({ id }) => id));
  const kept = rows.filter(({ id }) => !gone.has(id)).map((one) => ({ ...one, to: ends.get(one.id) ?? one.to }));
  const added = plan.insert.map((one) => ({ ...one, id: `${one.monitorId}${one.from} new` }));
  return [...kept, ...added];
}

function cover(rows: readonly MaintenanceRow[], monitorId: string, from: number, to: number): ClosedSpan[] {
  return coverage(
    rows.filter((one) => one.monitorId === monitorId),
    from,
    to,
  );
}
