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
    ['there are no occurrences', {}, {}],
    [
      'an occurrence is upcoming',
      { stretches: [{ from: 150, to: 160 }] },
      { insert: [{ monitorId: 'a', from: 150, to: 160 }] },
    ],
    [
      'an occurrence begins now',
      { stretches: [{ from: 100, to: 160 }] },
      { insert: [{ monitorId: 'a', from: 100, to: 160 }] },
    ],
    ['an occurrence is already stored', { stretches: [{ from: 150, to: 160 }], rows: [row(150, 160)] }, {}],
    ['an ongoing occurrence is already stored', { stretches: [{ from: 50, to: 160 }], rows: [row(50, 160)] }, {}],
    [
      'an ongoing occurrence was not stored',
      { stretches: [{ from: 50, to: 160 }] },
      { insert: [{ monitorId: 'a', from: 100, to: 160 }] },
    ],
    ['an occurrence is over', { stretches: [{ from: 50, to: 100 }] }, {}],
    [
      'the monitor joined an ongoing occurrence later',
      { stretches: [{ from: 50, to: 160 }], rows: [row(70, 160)] },
      {},
    ],
    [
      'an ongoing occurrence is extended',
      { stretches: [{ from: 50, to: 170 }], rows: [row(50, 160)] },
      { end: [{ id: 'a50', monitorId: 'a', to: 170 }] },
    ],
    [
      'an ongoing occurrence is shortened',
      { stretches: [{ from: 50, to: 110 }], rows: [row(50, 160)] },
      { end: [{ id: 'a50', monitorId: 'a', to: 110 }] },
    ],
    [
      'an upcoming occurrence is postponed',
      { stretches: [{ from: 155, to: 160 }], rows: [row(150, 160)] },
      { insert: [{ monitorId: 'a', from: 155, to: 160 }], remove: [{ id: 'a150', monitorId: 'a' }] },
    ],
    ['an ongoing occurrence is removed', { rows: [row(50, 160)] }, { end: [{ id: 'a50', monitorId: 'a', to: 100 }] }],
    ['an upcoming occurrence is removed', { rows: [row(150, 160)] }, { remove: [{ id: 'a150', monitorId: 'a' }] }],
    [
      'an occurrence that begins now is removed',
      { rows: [row(100, 160)] },
      { remove: [{ id: 'a100', monitorId: 'a' }] },
    ],
    [
      'a monitor leaves an ongoing occurrence',
      { members: [], stretches: [{ from: 50, to: 160 }], rows: [row(50, 160)] },
      { end: [{ id: 'a50', monitorId: 'a', to: 100 }] },
    ],
    [
      'a monitor joins an ongoing occurrence',
      { members: ['a', 'b'], stretches: [{ from: 50, to: 160 }], rows: [row(50, 160)] },
      { insert: [{ monitorId: 'b', from: 100, to: 160 }] },
    ],
    [
      'a complete occurrence passed since the last run',
      { settledMs: 60, stretches: [{ from: 70, to: 80 }] },
      { insert: [{ monitorId: 'a', from: 70, to: 80 }] },
    ],
    [
      'an ongoing occurrence began since the last run',
      { settledMs: 60, stretches: [{ from: 70, to: 160 }] },
      { insert: [{ monitorId: 'a', from: 70, to: 160 }] },
    ],
    [
      'a stored occurrence ended since the last run and a monitor joined',
      { settledMs: 60, members: ['a', 'b'], stretches: [{ from: 50, to: 80 }], rows: [row(50, 80)] },
      {},
    ],
    [
      'a stored occurrence ended since the last run and a monitor left',
      { settledMs: 60, members: [], stretches: [{ from: 50, to: 80 }], rows: [row(50, 80)] },
      {},
    ],
  ])('plans the changes when %s', (_, input, expected) => {
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

  it('leaves the past unchanged, stores the upcoming occurrences, and has no changes on a second run', () => {
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
