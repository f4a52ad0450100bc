import { describe, expect, it } from '@jest/globals';
import { FormFields } from '../../../http/body/form-fields.js';
import { afterAction, MAX_STEPS, stepsBody, stepsIn, storedSteps, withSteps } from './policy-steps.js';

const STORED = [
  { afterSeconds: 0, channelIds: ['a'] },
  { afterSeconds: 90, channelIds: ['a', 'b'] },
];
const fields = withSteps({ name: 'Mine' }, storedSteps(STORED));
const bodyOf = (from: Record<string, string>) => stepsBody(new FormFields(new URLSearchParams(from)));

describe('the steps of a form', () => {
  it('are read back unchanged', () => {
    expect(bodyOf(fields)).toEqual(STORED);
    expect(withSteps(fields, stepsIn(fields))).toEqual(fields);
  });

  it('are extended by one that follows five minutes later', () => {
    expect(bodyOf(afterAction(fields, { what: 'add-step', about: '' }))).toEqual([
      ...STORED,
      { afterSeconds: 390, channelIds: [] },
    ]);
  });

  it.each([
    ['0', [STORED[1]]],
    ['1', [STORED[0]]],
    ['7', STORED],
    ['', STORED],
  ])('lose the step at position “%s”', (about, left) => {
    const after = afterAction(fields, { what: 'remove-step', about });
    expect(bodyOf(after)).toEqual(left);
    expect(after.name).toBe('Mine');
  });

  it('keep their last step, and never exceed the limit', () => {
    const one = afterAction(fields, { what: 'remove-step', about: '0' });
    expect(bodyOf(afterAction(one, { what: 'remove-step', about: '0' }))).toEqual([STORED[1]]);
    let many: Record<string, string> = fields;
    for (let count = 0; count < MAX_STEPS + 3; count += 1) many = afterAction(many, { what: 'add-step', about: '' });
    expect(bodyOf(many)).toHaveLength(MAX_STEPS);
  });

  it('report an invalid delay as it was typed', () => {
    const typed = { ...fields, 's1.after': 'custom', 's1.afterCustom': 'soon' };
    expect(bodyOf(typed)[1]).toEqual({ afterSeconds: 'soon', channelIds: ['a', 'b'] });
  });
});
