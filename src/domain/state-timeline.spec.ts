import { describe, expect, it } from '@jest/globals';
import { type ConfirmedStatus, type Quorum, type QuorumHistory } from './quorum.js';
import { downRuns, mergeLocations, type LocationHistory } from './state-timeline.js';

const STATUSES: Record<string, ConfirmedStatus> = { u: 'up', g: 'degraded', d: 'down', p: 'pending' };

/** Returns a history: `u10 d20/25` is up from 10 and down from 20, as confirmed at 25; then the spans without data. */
function location(transitions: string, blind: [number, number][] = [], rest: Partial<LocationHistory> = {}) {
  return {
    transitions: transitions
      .split(' ')
      .filter(Boolean)
      .map((word) => {
        const [at, confirmedAt = at] = word.slice(1).split('/').map(Number);
        return { at: at!, confirmedAt: confirmedAt!, to: STATUSES[word[0]!]! };
      }),
    gaps: blind.map(([from, to]) => ({ from, to })),
    absences: [],
    tail: null,
    ...rest,
  };
}

/** Formats the merged timeline: `up@10 ?up@30` is up from 10, without data from 30. */
const timeline = (locations: LocationHistory[], quorum: Quorum | QuorumHistory = 'majority', nowMs = 100_000) =>
  mergeLocations(locations, quorum, nowMs)
    .map(({ from, status, known }) => `${known ? '' : '?'}${status}@${from}`)
    .join(' ');

describe('mergeLocations', () => {
  it.each<[string, LocationHistory[], Quorum, string]>([
    ['no location', [], 'majority', ''],
    ['no result', [location('')], 'majority', ''],
    ['one location', [location('u10 d20 g30 u40')], 'majority', 'up@10 down@20 degraded@30 up@40'],
    ['a gap through which the state continues', [location('d10', [[20, 30]])], 'majority', 'down@10 ?down@20 down@30'],
    ['a gap that a change ends', [location('d10 u30', [[20, 30]])], 'majority', 'down@10 ?down@20 up@30'],
    ['a change inside an absence', [location('u10 d25', [[20, 30]])], 'majority', 'up@10 ?up@20 ?down@25 down@30'],
    ['a gap before any result', [location('u10', [[5, 10]])], 'majority', '?pending@5 up@10'],
    ['overlapping gaps', [location('u10', [[20, 30], [25, 40]])], 'majority', 'up@10 ?up@20 up@40'], // prettier-ignore
    ['a return to pending', [location('u10 p20')], 'majority', 'up@10 ?pending@20'],
    [
      'a quorum of majority',
      [location('u1 d10 u40'), location('u1 d20'), location('u1')],
      'majority',
      'up@1 degraded@10 down@20 degraded@40',
    ],
    ['a quorum of any', [location('u1 d10 u40'), location('u1 d20 u30'), location('u1')], 'any', 'up@1 down@10 up@40'],
    ['a quorum of all', [location('u1 d10'), location('u1 g20 d30')], 'all', 'up@1 degraded@10 down@30'],
    ['a numeric quorum', [location('d1'), location('u1 d20'), location('u1')], 2, 'degraded@1 down@20'],
    [
      'a location with data while the other has none',
      [location('u1', [[10, 20]]), location('u1 d5')],
      'majority',
      'up@1 degraded@5 down@10 degraded@20',
    ],
    ['a pending location, which does not count', [location('d1'), location('u30')], 'all', 'down@1 degraded@30'],
    [
      'the locations that last had data',
      [location('u1', [[10, 50]]), location('d1', [[20, 40]])],
      'majority',
      'degraded@1 down@10 ?down@20 down@40 degraded@50',
    ],
    ['simultaneous changes as one change', [location('u1 d10'), location('d1 u10')], 'any', 'down@1'],
  ])('merges %s', (_, locations, quorum, expected) => {
    expect(timeline(locations, quorum)).toBe(expected);
  });

  it.each<[string, QuorumHistory, string]>([
    ['a single one', [{ from: 15, quorum: 'any' }], 'up@1 down@10 up@40'],
    ['one after another', [{ from: 0, quorum: 'any' }, { from: 20, quorum: 'all' }], 'up@1 down@10 degraded@20 up@40'], // prettier-ignore
    ['one that begins in an outage', [{ from: 0, quorum: 'all' }, { from: 20, quorum: 'any' }], 'up@1 degraded@10 down@20 up@40'], // prettier-ignore
    ['one in the future', [{ from: 0, quorum: 'any' }, { from: 100_001, quorum: 'all' }], 'up@1 down@10 up@40'], // prettier-ignore
  ])('merges by the quorum at each moment: %s', (_, quorums, expected) => {
    expect(timeline([location('u1 d10 u40'), location('u1')], quorums)).toBe(expected);
  });

  const until = 50_000;
  const tail = { missingFrom: 20, until };
  it.each([
    { nowMs: until, expected: 'up@10' },
    { nowMs: until + 5_000, expected: 'up@10' },
    { nowMs: until + 5_001, expected: 'up@10 ?up@20' },
  ])('holds the newest state for 5 s more: at $nowMs returns $expected', ({ nowMs, expected }) => {
    expect(timeline([location('u10', [], { tail })], 'majority', nowMs)).toBe(expected);
  });

  const voteless = (transitions: string, ...noVotes: [number, number | null][]) =>
    location(transitions, [], { noVotes: noVotes.map(([from, to]) => ({ from, to })) });
  it.each<[string, LocationHistory[], string]>([
    ['a change that was confirmed before', [voteless('u10 d18/19', [20, 30])], 'up@10 down@18 ?down@20 down@30'],
    ['a change', [voteless('u10 d18/25', [20, 30])], 'up@10 ?up@20 down@30'],
    ['a change while the vote is not back', [voteless('u10 d18/25', [20, null])], 'up@10 ?up@20'],
    ['a recovery while the vote is not back', [voteless('d10 u18/25', [20, null])], 'down@10 ?down@20'],
    ['a change that was over by then', [voteless('u10 d18/25 u28', [20, 30])], 'up@10 ?up@20 up@30'],
    ['a change that was ending by then', [voteless('u10 d18/25 u28/35', [20, 30])], 'up@10 ?up@20 up@30'],
    ['a change that is confirmed afterwards', [voteless('u10 d25/35', [20, 30])], 'up@10 ?up@20 ?down@25 down@30'],
    [
      'the changes of two losses',
      [voteless('u10 d18/25 u28/45', [20, 30], [40, 50])],
      'up@10 ?up@20 down@30 ?down@40 up@50',
    ],
    ['a change beside another location', [voteless('u10 d18/25', [20, 30]), location('u10')], 'up@10 degraded@30'],
  ])('counts what a location confirms without a vote only once it has its vote back: %s', (_, locations, expected) => {
    expect(timeline(locations)).toBe(expected);
  });

  it('ignores the future', () => {
    expect(timeline([location('u10 d60', [[30, 40]])], 'majority', 35)).toBe('up@10 ?up@30');
  });
});

describe('downRuns', () => {
  it.each([
    { what: 'no run', history: location('u10'), runs: [] },
    { what: 'an ended run', history: location('u10 d20 u30'), runs: [{ from: 20, to: 30 }] },
    { what: 'a run that degraded ends', history: location('d20 g30'), runs: [{ from: 20, to: 30 }] },
    { what: 'an ongoing run', history: location('u10 d20'), runs: [{ from: 20, to: null }] },
    {
      what: 'a run that continues through a gap',
      history: location('d20 u60', [[30, 50]]),
      runs: [{ from: 20, to: 60 }],
    },
    { what: 'two runs', history: location('d20 u30 d40'), runs: [{ from: 20, to: 30 }, { from: 40, to: null }] }, // prettier-ignore
  ])('returns $what', ({ history, runs }) => {
    expect(downRuns(mergeLocations([history], 'majority', 1_000))).toEqual(runs);
  });
});
