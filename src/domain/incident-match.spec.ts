import { expect, it } from '@jest/globals';
import { type IncidentTimes, matchIncidents } from './incident-match.js';

type Times = [startedAt: number, resolvedAt: number | null];

const of = (list: Times[]): IncidentTimes[] => list.map(([startedAt, resolvedAt]) => ({ startedAt, resolvedAt }));
const written = ({ startedAt, resolvedAt }: IncidentTimes): Times => [startedAt, resolvedAt];

it.each<{
  what: string;
  stored: Times[];
  computed: Times[];
  kept?: [Times, Times][];
  opened?: Times[];
  withdrawn?: Times[];
}>([
  { what: 'nothing', stored: [], computed: [] },
  { what: 'a first incident', stored: [], computed: [[1, null]], opened: [[1, null]] },
  {
    what: 'a resolved incident',
    stored: [[1, null]],
    computed: [[1, 5]],
    kept: [
      [
        [1, null],
        [1, 5],
      ],
    ],
  },
  {
    what: 'a reopened incident',
    stored: [[1, 5]],
    computed: [[1, null]],
    kept: [
      [
        [1, 5],
        [1, null],
      ],
    ],
  },
  {
    what: 'an earlier start',
    stored: [[3, null]],
    computed: [[1, null]],
    kept: [
      [
        [3, null],
        [1, null],
      ],
    ],
  },
  {
    what: 'a later start',
    stored: [[1, 9]],
    computed: [[3, 9]],
    kept: [
      [
        [1, 9],
        [3, 9],
      ],
    ],
  },
  { what: 'an incident that no longer exists', stored: [[1, 5]], computed: [], withdrawn: [[1, 5]] },
  {
    what: 'an incident at a different time',
    stored: [[1, 2]],
    computed: [[2, 3]],
    opened: [[2, 3]],
    withdrawn: [[1, 2]],
  },
  {
    what: 'two incidents that became one',
    stored: [
      [1, 3],
      [5, 7],
    ],
    computed: [[1, 7]],
    kept: [
      [
        [1, 3],
        [1, 7],
      ],
    ],
    withdrawn: [[5, 7]],
  },
  {
    what: 'one incident that became two',
    stored: [[1, 7]],
    computed: [
      [1, 3],
      [5, 7],
    ],
    kept: [
      [
        [1, 7],
        [1, 3],
      ],
    ],
    opened: [[5, 7]],
  },
  {
    what: 'the same start in preference to an overlap',
    stored: [
      [2, 4],
      [5, null],
    ],
    computed: [
      [1, 3],
      [5, null],
    ],
    kept: [
      [
        [5, null],
        [5, null],
      ],
      [
        [2, 4],
        [1, 3],
      ],
    ],
  },
])('matches $what', ({ stored, computed, kept = [], opened = [], withdrawn = [] }) => {
  // prettier-ignore
  const found = matchIncidents(of(stored), of(computed));
  expect(found.kept.map((one) => [written(one.stored), written(one.computed)])).toEqual(kept);
  expect(found.opened.map(written)).toEqual(opened);
  expect(found.withdrawn.map(written)).toEqual(withdrawn);
});
