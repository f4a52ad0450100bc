import { describe, expect, it } from '@jest/globals';
import { PENDING_STATE, type LocationState } from './monitor-state.js';
import { type Shown, type ShownInput, shownStatus } from './shown-status.js';

const HOLD = { missingFrom: 60_000, until: 120_000 };
const last = { checkedAt: 1_000, scheduledAt: 1_000, attempt: 0, intervalMs: 60_000 };
const up: LocationState = {
  ...PENDING_STATE,
  status: 'up',
  since: 500,
  last,
  streak: { status: 'up', count: 3, startedAt: 500 },
  passing: { count: 3, startedAt: 500 },
};
const down: LocationState = {
  ...PENDING_STATE,
  status: 'down',
  since: 700,
  last,
  streak: { status: 'down', count: 2, startedAt: 700 },
};
const failing: LocationState = { ...up, streak: { status: 'down', count: 1, startedAt: 900 }, passing: null };
const base: ShownInput = {
  createdAt: 100,
  pausedAt: null,
  resumedAt: null,
  maintenanceSince: null,
  quorum: 'majority',
  locations: [],
  previous: null,
};
const at = (fold: LocationState) => ({ fold, hold: HOLD });
const before: Shown = { status: 'down', since: 650, verifying: null };

describe('shownStatus', () => {
  it.each<[string, Partial<ShownInput>, number, Shown]>([
    ['no check has run yet', {}, 2_000, { status: 'pending', since: 100, verifying: null }],
    [
      'it is paused',
      { pausedAt: 900, locations: [at(down)] },
      2_000,
      { status: 'paused', since: 900, verifying: null },
    ],
    [
      'it is in maintenance and a change is being confirmed',
      { maintenanceSince: 950, locations: [at(failing)] },
      2_000,
      { status: 'maintenance', since: 950, verifying: 'down' },
    ],
    [
      'it is in maintenance and no check has run yet',
      { maintenanceSince: 950 },
      2_000,
      { status: 'maintenance', since: 950, verifying: null },
    ],
    [
      'it is paused in maintenance',
      { pausedAt: 900, maintenanceSince: 950, locations: [at(failing)] },
      2_000,
      { status: 'paused', since: 900, verifying: null },
    ],
    [
      'it has been resumed and no check has run yet',
      { resumedAt: 900 },
      2_000,
      { status: 'pending', since: 900, verifying: null },
    ],
    [
      'it was up before a pause',
      { resumedAt: 900, locations: [at(up)] },
      2_000,
      { status: 'up', since: 900, verifying: null },
    ],
    [
      'it has gone down since a pause',
      { resumedAt: 600, locations: [at(down)] },
      2_000,
      { status: 'down', since: 700, verifying: null },
    ],
    [
      'it has been resumed during maintenance',
      { resumedAt: 975, maintenanceSince: 950, locations: [at(up)] },
      2_000,
      { status: 'maintenance', since: 975, verifying: null },
    ],
    [
      'results have been missing since before a pause',
      { resumedAt: 130_000, locations: [at(up)] },
      130_001,
      { status: 'unknown', since: 130_000, verifying: null },
    ],
    ['it is up', { locations: [at(up)] }, 2_000, { status: 'up', since: 500, verifying: null }],
    ['a failure is unconfirmed', { locations: [at(failing)] }, 2_000, { status: 'up', since: 500, verifying: 'down' }],
    ['the state still holds', { locations: [at(down)] }, 125_000, { status: 'down', since: 700, verifying: null }],
    [
      'the state no longer holds',
      { locations: [at(down)] },
      125_001,
      { status: 'unknown', since: 60_000, verifying: null },
    ],
    [
      'no check is expected',
      { locations: [{ fold: up, hold: null }] },
      1e9,
      { status: 'up', since: 500, verifying: null },
    ],
    [
      'a minority is down',
      { locations: [at(up), at(down), at(up)] },
      2_000,
      { status: 'degraded', since: 700, verifying: null },
    ],
    [
      'a majority is down as before',
      { locations: [at(up), at(down), at(down)], previous: before },
      2_000,
      { status: 'down', since: 650, verifying: null },
    ],
    [
      'only a location that is down still has data',
      { locations: [{ fold: up, hold: { missingFrom: 1, until: 2 } }, at(down)] },
      100_000,
      { status: 'down', since: 700, verifying: null },
    ],
    [
      'the location that is down is silent',
      { locations: [at(up), { ...at(down), isSilent: true }], quorum: 'any' },
      2_000,
      { status: 'up', since: 500, verifying: null },
    ],
    [
      'its only location is silent',
      { locations: [{ ...at(down), isSilent: true }] },
      2_000,
      { status: 'unknown', since: 1_000, verifying: null },
    ],
    [
      'its only location is silent, and has made another check since',
      {
        locations: [{ ...at(down), isSilent: true }],
        previous: { status: 'unknown', since: 600, verifying: null },
      },
      2_000,
      { status: 'unknown', since: 600, verifying: null },
    ],
  ])('returns the status when %s', (_, input, now, shown) => {
    expect(shownStatus({ ...base, ...input }, now)).toEqual(shown);
  });
});
