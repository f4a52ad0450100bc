import { describe, expect, it } from '@jest/globals';
import { FormFields } from '../../../../http/body/form-fields.js';
import { type JsonValue } from '../../../../http/body/json.js';
import { assertionsOf, assertionTexts, MAX_ROWS, rowField, rowsFor } from './assertion-rows.js';

const sent = (texts: Record<string, string>): FormFields => new FormFields(new URLSearchParams(texts));
const withTarget = (target: JsonValue) => ({ source: 'jsonBody', property: '$.a', comparison: 'equals', target });

describe('assertions in rows', () => {
  it.each<[JsonValue, string]>([
    ['ok', 'ok'],
    ['42', '"42"'],
    [42, '42'],
    [-1.5, '-1.5'],
    ['true', '"true"'],
    [false, 'false'],
    ['"quoted"', '"\\"quoted\\""'],
    ['"half', '"half'],
    ['null', 'null'],
    ['{"a":1}', '{"a":1}'],
    ['two words', 'two words'],
    [null, ''],
  ])('write the target %j as %s and read it back unchanged', (target, text) => {
    const texts = assertionTexts([withTarget(target)]);
    expect(texts[rowField(0, 'target')]).toBe(text);
    expect(assertionsOf(sent(texts))).toEqual([withTarget(target)]);
  });

  it('are read in order, without empty rows', () => {
    const form = sent({
      [rowField(3, 'source')]: 'textBody',
      [rowField(3, 'comparison')]: 'isEmpty',
      [rowField(1, 'source')]: 'statusCode',
      [rowField(1, 'comparison')]: 'equals',
      [rowField(1, 'target')]: '200',
      [rowField(2, 'target')]: 'without a source',
    });
    expect(assertionsOf(form)).toEqual([
      { source: 'statusCode', property: null, comparison: 'equals', target: 200 },
      { source: 'textBody', property: null, comparison: 'isEmpty', target: null },
    ]);
  });

  it.each([
    [0, 2],
    [5, 7],
    [19, MAX_ROWS],
    [20, MAX_ROWS],
  ])('show, with %d filled in, %d rows', (filled, shown) => {
    expect(rowsFor(filled)).toBe(shown);
  });
});
