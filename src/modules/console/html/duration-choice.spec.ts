import { describe, expect, it } from '@jest/globals';
import { type JsonValue } from '../../../http/body/json.js';
import { durationControl, durationOf, type DurationUnit, durationWord } from './duration-choice.js';

describe('durationOf', () => {
  it.each<[DurationUnit, string, string, JsonValue]>([
    ['seconds', '60', '', 60],
    ['seconds', '60', '47', 60],
    ['seconds', '', '47', null],
    ['seconds', 'custom', ' 47 ', 47],
    ['seconds', 'custom', '', ''],
    ['seconds', 'custom', '1.5', '1.5'],
    ['seconds', 'often', '', 'often'],
    ['milliseconds', '10000', '', 10_000],
    ['milliseconds', 'custom', '2.5', 2_500],
    ['milliseconds', 'custom', '0.001', 1],
    ['milliseconds', 'custom', '0.0001', '0.0001'],
    ['milliseconds', 'custom', '12', 12_000],
    ['milliseconds', 'custom', 'soon', 'soon'],
  ])('reads the choice of %s "%s" with "%s" beside it as %j', (unit, chosen, typed, value) => {
    expect(durationOf(unit, chosen, typed)).toEqual(value);
  });
});

describe('durationControl', () => {
  const timeout = { pointer: '/timeoutMs', label: 'Timeout', kind: 'milliseconds', usual: [500, 60_000] } as const;

  it('offers the usual durations in words, and a custom one', () => {
    const { choices } = durationControl({ ...timeout, unset: 'Default' }, '500', '');
    expect(choices.map(({ value, label }) => `${value} ${label}`)).toEqual([
      ' Default',
      '500 0.5 seconds',
      '60000 1 minute',
      'custom Custom…',
    ]);
  });

  it.each([
    ['500', '', '500', ''],
    ['1234', '', 'custom', '1.234'],
    ['custom', '7', 'custom', '7'],
    ['custom', 'soon', 'custom', 'soon'],
    ['often', '', 'custom', 'often'],
  ])('shows the duration "%s" with "%s" beside it as the choice "%s" with "%s"', (duration, typed, chosen, custom) => {
    expect(durationControl(timeout, duration, typed)).toMatchObject({ chosen, custom });
  });
});

describe('durationWord', () => {
  it.each([
    ['10000', '', '10 seconds'],
    ['custom', '90', '90 seconds'],
    ['custom', '120', '2 minutes'],
    ['', '', null],
    ['custom', 'soon', null],
  ])('states the choice "%s" with "%s" beside it as %j', (chosen, typed, word) => {
    expect(durationWord('milliseconds', chosen, typed)).toBe(word);
  });
});
