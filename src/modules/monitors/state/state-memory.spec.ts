import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CheckError } from '../../../domain/check-result.js';
import { NumberRows } from './number-rows.js';
import { StateMemory } from './state-memory.js';
import { type LocationRow, type LockedMonitor } from './state-records.js';

const time = fc.integer({ min: 0, max: 4e12 });
const known = fc.constantFrom('up', 'degraded', 'down');
const run = fc.record({ count: fc.integer({ min: 1, max: 1e9 }), startedAt: time });
const orNull = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary);

const monitors: fc.Arbitrary<LockedMonitor> = fc.record({
  monitorId: fc.constant('m'),
  version: fc.constant(7),
  createdAt: time,
  intervalMs: fc.integer({ min: 1_000, max: 86_400_000 }),
  failureThreshold: fc.integer({ min: 1, max: 10 }),
  recoveryThreshold: fc.integer({ min: 1, max: 10 }),
  locations: fc.constantFrom<readonly string[]>(['default'], ['paris'], ['default', 'paris']),
  quorum: fc.oneof(
    fc.constantFrom('any' as const, 'majority' as const, 'all' as const),
    fc.integer({ min: 1, max: 9 }),
  ),
  pausedAt: orNull(time),
  pausedUntil: orNull(time),
  resumedAt: orNull(time),
  maintenance: orNull(fc.record({ from: time, to: time })),
  shown: fc.record({
    status: fc.constantFrom('pending', 'up', 'degraded', 'down', 'paused', 'maintenance', 'unknown'),
    since: time,
    verifying: orNull(known),
  }),
});

const error: CheckError = { code: 'timeout', message: 'Waiting for the response timed out.' };

const locations: fc.Arbitrary<LocationRow> = fc.record({
  monitorId: fc.constant('m'),
  location: fc.constantFrom('default', 'paris'),
  version: fc.integer({ min: 1, max: 1e9 }),
  checkpointThrough: orNull(time),
  lastCheckAt: orNull(time),
  fold: fc.record({
    status: fc.constantFrom('pending', 'up', 'degraded', 'down'),
    since: orNull(time),
    streak: orNull(fc.tuple(known, run).map(([status, run]) => ({ status, ...run }))),
    passing: orNull(run),
    last: orNull(
      fc.record({ checkedAt: time, scheduledAt: time, attempt: fc.integer({ min: -9, max: 9 }), intervalMs: time }),
    ),
    lastError: orNull(fc.constant(error)),
  }),
});

describe('StateMemory', () => {
  it('returns a monitor as it was last remembered, whatever was remembered before', () => {
    const memory = new StateMemory();
    fc.assert(
      fc.property(monitors, fc.array(locations, { maxLength: 2 }), (monitor, rows) => {
        memory.remember(monitor, rows);
        expect(memory.recall('m', 7)).toEqual({ monitor, locations: rows });
        expect(memory.recall('m', 8)).toBeUndefined();
      }),
    );
  });

  it('is not affected by changes to the monitor that it returned', () => {
    const memory = new StateMemory();
    fc.assert(
      fc.property(monitors, locations, (monitor, row) => {
        memory.remember(monitor, [row]);
        memory.recall('m', 7)!.monitor.pausedAt = 1;
        memory.recall('m', 7)!.monitor.version = 9;
        expect(memory.recall('m', 7)).toEqual({ monitor, locations: [row] });
      }),
    );
  });
});

describe('NumberRows', () => {
  it('behaves like a map that removes the oldest keys beyond its maximum size', () => {
    const keys = fc.constantFrom(...'abcdefgh');
    const writes = fc.array(fc.oneof(fc.tuple(keys, fc.double({ noNaN: true })), fc.tuple(keys)), { maxLength: 60 });
    fc.assert(
      fc.property(writes, (steps) => {
        const rows = new NumberRows(2, 5);
        const model = new Map<string, number>();
        for (const [key, value] of steps) {
          if (value === undefined) {
            rows.delete(key);
            model.delete(key);
          } else {
            rows.set(key, [value, -value]);
            if (!model.has(key) && model.size === 5) model.delete(model.keys().next().value!);
            model.set(key, value);
          }
        }
        for (const key of 'abcdefgh') {
          const value = model.get(key);
          expect(rowOf(rows, key)).toEqual(value === undefined ? undefined : [value, -value]);
        }
      }),
    );
  });

  it('grows with the number of keys', () => {
    const rows = new NumberRows(1, 10_000);
    for (let key = 0; key < 5_000; key += 1) rows.set(String(key), [key]);
    for (let key = 0; key < 5_000; key += 1) expect(rowOf(rows, String(key), 1)).toEqual([key]);
    rows.clear();
    expect(rows.find('1')).toBeUndefined();
  });
});

function rowOf(rows: NumberRows, key: string, width = 2): number[] | undefined {
  const at = rows.find(key);
  return at === undefined ? undefined : [...rows.cells.subarray(at, at + width)];
}
