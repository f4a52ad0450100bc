import { describe, expect, it } from '@jest/globals';
import { causeKey, JOINS_AFTER_MS, UNOBSERVED_MS, unobservedGroups } from './unobserved.js';

const NOW = Date.UTC(2026, 10, 26, 12);
const NONE: [string, string][] = [];

/** A monitor by name, team and cause, which has not been observed for this many milliseconds. */
function unobserved(id: string, teamId: string, cause: string, forMs: number) {
  return { id, teamId, cause, countedFrom: NOW - forMs };
}

const due = (id: string, teamId = 't', cause = 'no_results') => unobserved(id, teamId, cause, UNOBSERVED_MS);
const nearly = (id: string, cause = 'no_results') => unobserved(id, 't', cause, JOINS_AFTER_MS);

describe('unobservedGroups', () => {
  it.each<[string, ReturnType<typeof due>[], [string, string][], [string | null, string[]][]]>([
    ['nothing', [], NONE, []],
    ['one that is due', [due('a')], NONE, [[null, ['a']]]],
    ['one that is not due', [unobserved('a', 't', 'no_results', UNOBSERVED_MS - 1)], NONE, []],
    ['several of one cause', [due('a'), due('b'), due('c')], NONE, [[null, ['a', 'b', 'c']]]],
    ['one that follows within a minute', [due('a'), nearly('b')], NONE, [[null, ['a', 'b']]]],
    ['several that are not due', [nearly('a'), nearly('b')], NONE, []],
    ['one that is not due, of another cause', [due('a'), nearly('b', 'checker_error')], NONE, [[null, ['a']]]],
    [
      'two causes',
      [due('a'), due('b', 't', 'checker_error')],
      NONE,
      [
        [null, ['a']],
        [null, ['b']],
      ],
    ],
    [
      'two teams',
      [due('a'), due('b', 'u'), due('c')],
      NONE,
      [
        [null, ['a', 'c']],
        [null, ['b']],
      ],
    ],
    ['one that joins', [nearly('a')], [['t/no_results', 'g']], [['g', ['a']]]],
    [
      'one that joins while another opens',
      [due('a'), due('b', 't', 'checker_error')],
      [['t/checker_error', 'g']],
      [
        [null, ['a']],
        ['g', ['b']],
      ],
    ],
    ['the open group of another team', [due('a')], [['u/no_results', 'g']], [[null, ['a']]]],
  ])('groups %s', (_, found, open, expected) => {
    const groups = unobservedGroups(found, new Map(open), NOW);
    expect(groups.map(({ groupId, monitors }) => [groupId, monitors.map(({ id }) => id)])).toEqual(expected);
    for (const { teamId, cause, monitors } of groups) {
      expect(new Set(monitors.map(causeKey))).toEqual(new Set([causeKey({ teamId, cause })]));
    }
  });
});
