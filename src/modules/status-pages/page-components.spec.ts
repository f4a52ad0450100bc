import { describe, expect, it } from '@jest/globals';
import { placeComponents, type SentComponent } from './page-components.js';

const MONITORS = new Map([
  ['key:shop', { id: 'm1', name: 'Shop' }],
  ['m1', { id: 'm1', name: 'Shop' }],
  ['m2', { id: 'm2', name: 'Mail' }],
  ['m3', { id: 'm3', name: 'Search' }],
]);
const STORED = [
  { id: 'c1', monitorId: 'm1' },
  { id: 'c2', monitorId: 'm2' },
];

function place(sent: Omit<SentComponent, 'pointer'>[]) {
  const withPointers = sent.map((one, index) => ({ ...one, pointer: `/components/${index}/monitorId` }));
  let count = 0;
  return placeComponents(withPointers, STORED, MONITORS, () => `new${++count}`);
}

describe('placeComponents', () => {
  it.each<[string, Omit<SentComponent, 'pointer'>[], string[]]>([
    ['no components', [], []],
    ['by monitor, in another order', [{ monitorId: 'm2' }, { monitorId: 'm1' }], ['c2', 'c1']],
    ['by a key', [{ monitorId: 'key:shop' }], ['c1']],
    ['a new monitor', [{ monitorId: 'm3' }, { monitorId: 'm1' }], ['new1', 'c1']],
    ['by id, with another monitor', [{ id: 'c1', monitorId: 'm3' }], ['c1']],
    ['id before monitor', [{ monitorId: 'm1' }, { id: 'c1', monitorId: 'm2' }], ['new1', 'c1']],
    ['id in capitals', [{ id: 'C2', monitorId: 'm2' }], ['c2']],
    ['null as id', [{ id: null, monitorId: 'm2' }], ['c2']],
  ])('retains ids: %s', (_, sent, ids) => {
    expect(place(sent).components?.map(({ id }) => id)).toEqual(ids);
  });

  it('sets defaults, with the name of the monitor', () => {
    expect(place([{ monitorId: 'key:shop', name: null }]).components).toEqual([
      { id: 'c1', monitorId: 'm1', name: 'Shop', description: null, group: null, showUptime: true },
    ]);
    const given = { name: 'Till', description: 'Pays', group: 'Shop', showUptime: false };
    expect(place([{ monitorId: 'm1', ...given }]).components).toEqual([{ id: 'c1', monitorId: 'm1', ...given }]);
  });

  it.each<[string, Omit<SentComponent, 'pointer'>[], [string, string][]]>([
    ['unknown monitor', [{ monitorId: 'm1' }, { monitorId: 'mx' }], [['/components/1/monitorId', 'invalid_value']]],
    ['monitor twice', [{ monitorId: 'm1' }, { monitorId: 'key:shop' }], [['/components/1/monitorId', 'duplicate']]],
    ['unknown id', [{ id: 'c9', monitorId: 'm1' }], [['/components/0/id', 'invalid_value']]],
    [
      'id twice',
      [
        { id: 'c1', monitorId: 'm1' },
        { id: 'c1', monitorId: 'm2' },
      ],
      [['/components/1/id', 'duplicate']],
    ],
  ])('rejects: %s', (_, sent, faults) => {
    const { components, errors } = place(sent);
    expect(components).toBeNull();
    expect(errors.map(({ pointer, code }) => [pointer, code])).toEqual(faults);
  });
});
