import { describe, expect, it } from '@jest/globals';
import { FormFields } from '../../../http/body/form-fields.js';
import { askedOf } from '../picker/asked.js';
import { addedIds, withTicked } from '../picker/picked-ids.js';
import {
  type GroupFields,
  groupsIn,
  PAGE_STEPS,
  rearranged,
  storedGroups,
  withGroups,
  withTickedComponents,
} from './page-components.js';

/** Returns groups in brief: `Shop: a b / c d`. */
const brief = (groups: readonly GroupFields[]): string =>
  groups
    .map(({ name, components }) => {
      const ids = components.map(({ monitorId }) => monitorId).join(' ');
      return name === '' ? ids : `${name}: ${ids}`;
    })
    .join(' / ');

/** Returns the fields of a form with the groups in brief. */
function formOf(text: string): Record<string, string> {
  const groups = text.split(' / ').map((part): GroupFields => {
    const [, name = '', ids = ''] = /^(?:(\w+):)? ?(.*)$/.exec(part)!;
    const components = ids
      .split(' ')
      .filter(Boolean)
      .map((monitorId) => ({
        field: '',
        id: '',
        monitorId,
        name: `Name of ${monitorId}`,
        description: '',
        showUptime: 'on',
      }));
    return { field: '', name, components };
  });
  return withGroups({}, groups);
}

const form = (fields: [string, string][]): FormFields => new FormFields(new URLSearchParams(fields));

describe('askedOf', () => {
  it.each([
    ['a step with its subject', { do: 'up:c1' }, { what: 'up', about: 'c1' }],
    ['a step whose subject contains a colon', { do: 'remove:key:x' }, { what: 'remove', about: 'key:x' }],
    ['a search', { do: 'search', q: 'x' }, { what: 'search', about: '' }],
    ['saving', { do: 'save', q: 'x' }, { what: 'save', about: '' }],
    ['saving and publishing', { do: 'publish', q: 'x' }, { what: 'save', about: '' }],
    ['an unknown step as saving', { do: 'explode:c1' }, { what: 'save', about: '' }],
    ['Enter with a new search text as a search', { q: 'x', searched: 'y' }, { what: 'search', about: '' }],
    [
      'Enter with the search text of the shown result as saving',
      { q: ' x', searched: 'x' },
      { what: 'save', about: '' },
    ],
    ['Enter without a search text as saving', {}, { what: 'save', about: '' }],
  ])('recognizes %s', (_name, fields, outcome) => {
    expect(askedOf(form(Object.entries(fields as Record<string, string>)), PAGE_STEPS)).toEqual(outcome);
  });
});

describe('addedIds', () => {
  it.each([
    ['all shown monitors', 'add-shown', ['a', 'b', 'c']],
    ['nothing if the ticked ones are added', 'add', []],
    ['nothing for another step', 'search', []],
  ])('returns %s', (_name, what, ids) => {
    expect(addedIds(form([['shown', 'a,b,c']]), { what })).toEqual(ids);
  });
});

describe('withTicked', () => {
  it('adds the ticked monitors after the chosen ones, each once', () => {
    const ticked = withTicked(
      form([
        ['monitors', 'a,b'],
        ['pick', 'c'],
        ['pick', 'b'],
        ['name', 'Kept'],
      ]),
    );
    expect([ticked.text('monitors'), ticked.text('name')]).toEqual(['a,b,c', 'Kept']);
  });
});

describe('withTickedComponents', () => {
  const ticked = (fields: Record<string, string>, ...picks: string[]) =>
    withTickedComponents(form([...Object.entries(fields), ...picks.map((id): [string, string] => ['pick', id])]));

  it('appends the ticked monitors to the last group, each once, and renames no field', () => {
    const fields = { 'c7.monitorId': 'a', 'c7.name': 'Shop', 'g3.name': 'One', layout: 'g3 c7' };
    const [group, ...others] = groupsIn(ticked(fields, 'b', 'a', 'b', 'c').record());
    expect(others).toEqual([]);
    expect(group!.components.map(({ field, monitorId, showUptime }) => [field, monitorId, showUptime])).toEqual([
      ['c7', 'a', ''],
      ['c8', 'b', 'on'],
      ['c9', 'c', 'on'],
    ]);
  });

  it('starts a group if there is none', () => {
    expect(groupsIn(ticked({}, 'a').record())).toMatchObject([{ name: '', components: [{ field: 'c0' }] }]);
  });

  it('leaves a form without ticks as it is', () => {
    const fields = formOf('a / Shop: b c');
    expect(ticked(fields).record()).toEqual(fields);
  });
});

describe('the groups of a form', () => {
  it('are read back as they were written, and leave other fields unchanged', () => {
    const fields = { name: 'Kept', 'c7.name': 'left over', 'g7.name': 'left over', ...formOf('a / Shop: b c') };
    const groups = groupsIn(fields);
    expect(brief(groups)).toBe('a / Shop: b c');
    expect(groups[1]!.components[0]).toMatchObject({ field: 'c1', name: 'Name of b', showUptime: 'on' });
    expect(withGroups(fields, groups)).toEqual({ name: 'Kept', ...formOf('a / Shop: b c') });
    expect(withGroups(fields, [])).toEqual({ name: 'Kept', layout: '' });
  });

  it.each([
    ['as it orders them', 'g1 c2 c1 g0 c0', 'Shop: c b / a'],
    ['without an entry of a component, which comes last', 'g0 c0 g1 c2', 'a / Shop: c b'],
    ['with a component twice, which counts once', 'g0 c0 c0 g1 c0 c1 c2', 'a / Shop: b c'],
    ['with unknown entries', 'x g0 c9 c0 g1 c1 c2 __proto__', 'a / Shop: b c'],
    ['without groups', 'c2 c1 c0', 'c b a'],
    ['that is empty', '', 'a b c'],
  ])('follow a layout %s', (_name, layout, expected) => {
    expect(brief(groupsIn({ ...formOf('a / Shop: b c'), layout }))).toBe(expected);
  });

  it('contain the stored components by group, each group at its first component', () => {
    const stored = ['Shop', null, 'Shop', 'Mail'].map((group, at) => ({
      id: `id${at}`,
      monitorId: `m${at}`,
      name: 'x',
      description: null,
      group,
      showUptime: at > 0,
    }));
    const groups = storedGroups({ components: stored });
    expect(brief(groups)).toBe('Shop: m0 m2 / m1 / Mail: m3');
    expect(groups[0]!.components.map(({ showUptime }) => showUptime)).toEqual(['', 'on']);
  });

  it.each([
    ['up:c1', 'b a / Shop: c d / e'],
    ['up:c0', 'a b / Shop: c d / e'],
    ['up:c2', 'a b c / Shop: d / e'],
    ['up:c4', 'a b / Shop: c d e / '],
    ['down:c0', 'b a / Shop: c d / e'],
    ['down:c1', 'a / Shop: b c d / e'],
    ['down:c4', 'a b / Shop: c d / e'],
    ['down:c9', 'a b / Shop: c d / e'],
    ['up:g1', 'Shop: c d / a b / e'],
    ['down:g1', 'a b / e / Shop: c d'],
    ['up:g0', 'a b / Shop: c d / e'],
    ['into:c0 g2', 'b / Shop: c d / e a'],
    ['into:c0 g9', 'a b / Shop: c d / e'],
    ['into:c9 g1', 'a b / Shop: c d / e'],
    ['remove:c2', 'a b / Shop: d / e'],
    ['remove:c9', 'a b / Shop: c d / e'],
    ['new-group', 'a b / Shop: c d / e / '],
    ['search', 'a b / Shop: c d / e'],
  ])('have after %s the order %s', (button, order) => {
    const groups = groupsIn(formOf('a b / Shop: c d / e'));
    const after = rearranged(groups, askedOf(form([['do', button]]), PAGE_STEPS));
    expect(brief(after)).toBe(order);
    for (const { monitorId, name } of after.flatMap(({ components }) => components)) {
      expect(name).toBe(`Name of ${monitorId}`);
    }
  });

  it('receive added monitors at the end, each once', () => {
    const step = { what: 'add', about: '' };
    expect(brief(rearranged(groupsIn(formOf('a / Shop: b')), step, ['c', 'a', 'c', 'd']))).toBe('a / Shop: b c d');
    expect(brief(rearranged([], step, ['c']))).toBe('c');
    expect(brief(rearranged([], step))).toBe('');
  });
});
