import { describe, expect, it } from '@jest/globals';
import { FormFields } from '../../../http/body/form-fields.js';
import { askedOf } from '../picker/asked.js';
import { type ComponentFields, componentsIn, rearranged, withComponents } from './page-components.js';

const component = (monitorId: string): ComponentFields => ({
  id: '',
  monitorId,
  name: `Name of ${monitorId}`,
  description: '',
  group: 'Shop',
  showUptime: 'on',
});
const ABC = ['a', 'b', 'c'].map(component);

const asked = (fields: Record<string, string>) => askedOf(new FormFields(new URLSearchParams(fields)));

describe('askedOf', () => {
  it.each([
    ['a step at a position', { do: 'up:1' }, { what: 'up', about: '1' }],
    ['a step for a monitor', { do: 'add:key:x' }, { what: 'add', about: 'key:x' }],
    ['a search', { do: 'search', q: 'x' }, { what: 'search', about: '' }],
    ['saving', { do: 'save', q: 'x' }, { what: 'save', about: '' }],
    ['saving and publishing', { do: 'publish', q: 'x' }, { what: 'save', about: '' }],
    ['Enter with a new search text as a search', { q: 'x', searched: 'y' }, { what: 'search', about: '' }],
    [
      'Enter with the search text of the shown result as saving',
      { q: ' x', searched: 'x' },
      { what: 'save', about: '' },
    ],
    ['Enter without a search text as saving', {}, { what: 'save', about: '' }],
  ])('recognizes %s', (_name, fields, outcome) => {
    expect(asked(fields as Record<string, string>)).toEqual(outcome);
  });
});

describe('components of a form', () => {
  it('are read back as they were written, and leave other fields unchanged', () => {
    const fields = withComponents({ name: 'Kept', 'c7.name': 'left over' }, ABC);
    expect(componentsIn(fields)).toEqual(ABC);
    expect(fields.name).toBe('Kept');
    expect(withComponents(fields, [])).toEqual({ name: 'Kept' });
  });

  it.each([
    ['up:1', 'bac'],
    ['up:0', 'abc'],
    ['down:1', 'acb'],
    ['down:2', 'abc'],
    ['down:x', 'abc'],
    ['up:7', 'abc'],
    ['up:-1', 'abc'],
    ['remove:1', 'ac'],
    ['remove:9', 'abc'],
    ['add:d', 'abcd'],
    ['add:b', 'abc'],
    ['search', 'abc'],
  ])('have after %s the order %s', (button, order) => {
    const after = rearranged(ABC, asked({ do: button }));
    expect(after.map(({ monitorId }) => monitorId).join('')).toBe(order);
    for (const one of after.filter(({ monitorId }) => monitorId !== 'd')) expect(ABC).toContainEqual(one);
  });
});
