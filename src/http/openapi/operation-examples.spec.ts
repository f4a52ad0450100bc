import { describe, expect, it } from '@jest/globals';
import { type OpenAPIObject } from '@nestjs/swagger';
import { exampleOf, withOperationExamples } from './operation-examples.js';

const SCHEMAS = { Thing: { type: 'object', properties: { name: { type: 'string', example: 'A thing' } } } };
const THING = { $ref: '#/components/schemas/Thing' };

describe('the example of a schema', () => {
  it.each<[string, object, unknown]>([
    ['its own', { type: 'string', example: 'own' }, 'own'],
    ['its own, even if null', { anyOf: [THING, { type: 'null' }], example: null }, null],
    ['the first of several', { type: 'string', examples: ['first', 'second'] }, 'first'],
    ['that of the schema it refers to', THING, { name: 'A thing' }],
    ['its constant', { const: 'http' }, 'http'],
    ['its first value', { type: 'string', 'x-extensible-enum': ['up', 'down'] }, 'up'],
    ['that of its first alternative', { oneOf: [THING, { type: 'null' }] }, { name: 'A thing' }],
    ['an array of one element', { type: 'array', items: THING }, [{ name: 'A thing' }]],
    [
      'an array of one element, even if it may be null',
      { type: ['array', 'null'], items: THING },
      [{ name: 'A thing' }],
    ],
    ['null if there is no other', { type: ['string', 'null'] }, null],
    ['missing', { type: 'string' }, undefined],
    ['missing if a member has none', { type: 'object', properties: { name: { type: 'string' } } }, undefined],
    ['missing if its elements have none', { type: 'array', items: { type: 'string' } }, undefined],
  ])('is %s', (_, schema, example) => {
    expect(exampleOf(schema as Record<string, unknown>, SCHEMAS)).toEqual(example);
  });
});

it('adds examples to responses and required parameters, and to the schema of optional parameters', () => {
  const id = { name: 'id', required: true, schema: { type: 'string', example: 'key:a' } };
  const tag = { name: 'tag', required: false, schema: { type: 'string', example: 'blue' } };
  const bare = { name: 'bare', required: false, schema: { type: 'string' } };
  const ok = { content: { 'application/json': { schema: THING } } };
  const failed = { content: { 'application/json': { schema: THING, examples: { told: { value: 1 } } } } };
  const get = { parameters: [id, tag, bare], responses: { 200: ok, 204: {}, 404: failed } };
  const document = { paths: { '/things': { get } }, components: { schemas: SCHEMAS } } as unknown as OpenAPIObject;
  expect(withOperationExamples(document).paths['/things']?.get).toEqual({
    parameters: [
      { ...id, schema: { type: 'string' }, example: 'key:a' },
      { ...tag, schema: { type: 'string', examples: ['blue'] } },
      bare,
    ],
    responses: {
      200: { content: { 'application/json': { schema: THING, example: { name: 'A thing' } } } },
      204: {},
      404: failed,
    },
  });
});
