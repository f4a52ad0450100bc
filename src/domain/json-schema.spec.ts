import { describe, expect, it } from '@jest/globals';
import { schemaProblem, schemaViolation } from './json-schema.js';

const order = {
  type: 'object',
  required: ['id', 'status'],
  properties: {
    id: { type: 'integer', minimum: 1 },
    status: { enum: ['paid', 'open'] },
    email: { type: 'string', pattern: '^[^@]+@[^@]+$' },
    items: { type: 'array', items: { $ref: '#/$defs/item' }, minItems: 1 },
  },
  $defs: { item: { type: 'object', required: ['sku'], unevaluatedProperties: false, properties: { sku: true } } },
};

describe('schemaProblem', () => {
  it.each<unknown>([true, {}, order, { ...order, $id: 'https://example.com/order' }, { type: ['null', 'string'] }])(
    'accepts %j, also twice',
    (schema) => {
      expect(schemaProblem(JSON.stringify(schema))).toBeNull();
      expect(schemaProblem(JSON.stringify(schema))).toBeNull();
    },
  );

  it('accepts the dialect by its name', () => {
    expect(schemaProblem('{"$schema":"https://json-schema.org/draft/2020-12/schema"}')).toBeNull();
  });

  it.each<[string, string, RegExp]>([
    ['text that is not JSON', '{', /JSON/],
    ['an array', '[]', /an object or a boolean/],
    ['a keyword with a wrong value', '{"type":"text"}', /schema\/type/],
    ['another dialect', '{"$schema":"http://json-schema.org/draft-07/schema#"}', /\$schema must be/],
    ['a reference to another place', '{"$ref":"https://example.com/other"}', /can't resolve reference/],
    ['a missing definition', '{"$ref":"#/$defs/none"}', /can't resolve reference/],
    ['an asynchronous schema', '{"$async":true}', /\$async/],
    ['a pattern that RE2 does not know', '{"pattern":"(?=a)"}', /pattern/],
    ['a schema that is too long', `{"title":"${'x'.repeat(10_000)}"}`, /longer than 10,000/],
  ])('rejects %s', (_, text, problem) => expect(schemaProblem(text)).toMatch(problem));
});

describe('schemaViolation', () => {
  const text = JSON.stringify(order);

  it.each<[unknown, string | null]>([
    [{ id: 1, status: 'paid' }, null],
    [{ id: 1, status: 'paid', email: 'a@b', items: [{ sku: 1 }] }, null],
    [[], '#/type'],
    [{ id: 1 }, '#/required'],
    [{ id: 1.5, status: 'paid' }, '#/properties/id/type'],
    [{ id: 0, status: 'paid' }, '#/properties/id/minimum'],
    [{ id: 1, status: 'new' }, '#/properties/status/enum'],
    [{ id: 1, status: 'paid', email: 'a' }, '#/properties/email/pattern'],
    [{ id: 1, status: 'paid', items: [{ sku: 1, more: 2 }] }, '#/$defs/item/unevaluatedProperties'],
  ])('of %j is %s', (value, place) => expect(schemaViolation(text, value)).toBe(place));

  it('runs patterns in linear time', () => {
    const schema = JSON.stringify({ pattern: '^(a+)+$' });
    expect(schemaViolation(schema, `${'a'.repeat(50_000)}!`)).toBe('#/pattern');
  });
});
