import { describe, expect, it } from '@jest/globals';
import { type OpenAPIObject } from '@nestjs/swagger';
import { openAnswerEnums } from './open-enums.js';

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });

/** A document with one operation, which accepts and returns these schemas. */
function document(sent: object, answered: object, schemas: Record<string, object>): OpenAPIObject {
  const post = { requestBody: json(sent), responses: { 200: json(answered) } };
  return { paths: { '/things': { post } }, components: { schemas } } as unknown as OpenAPIObject;
}

const CLOSED = { type: 'string', enum: ['up', 'down'] };
const OPEN = {
  anyOf: [{ type: 'string', enum: ['up', 'down'] }, { type: 'string' }],
  'x-extensible-enum': ['up', 'down'],
};

describe('enums', () => {
  it.each<[string, object, object]>([
    ['of a string', CLOSED, OPEN],
    ['without a type', { enum: ['up', 'down'] }, OPEN],
    [
      'that include null',
      { type: ['string', 'null'], enum: ['up', null] },
      {
        anyOf: [{ type: 'string', enum: ['up'] }, { type: 'string' }, { type: 'null' }],
        'x-extensible-enum': ['up'],
      },
    ],
    ['of elements', { type: 'array', items: CLOSED }, { type: 'array', items: OPEN }],
    ['in a union', { oneOf: [CLOSED, { type: 'integer' }] }, { oneOf: [OPEN, { type: 'integer' }] }],
    ['in an example', { type: 'object', example: CLOSED }, { type: 'object', example: CLOSED }],
    [
      'of properties named like keywords',
      { properties: { enum: CLOSED, default: CLOSED } },
      { properties: { enum: OPEN, default: OPEN } },
    ],
    ['of numbers', { enum: [1, 2] }, { enum: [1, 2] }],
    ['of a constant, which never grows', { const: 'http' }, { const: 'http' }],
  ])('%s are open in responses and closed in requests', (_, closed, open) => {
    // prettier-ignore
    const schemas = { Sent: closed, Answered: closed };
    const outcome = openAnswerEnums(document(ref('Sent'), ref('Answered'), schemas));
    expect(outcome.components?.schemas).toEqual({ Sent: closed, Answered: open });
    const inline = openAnswerEnums(document(closed, closed, {}));
    expect(inline).toEqual(document(closed, open, {}));
  });

  it('of a schema used in both directions cause a copy for responses, and copies of schemas that refer to it', () => {
    const outer = { type: 'object', properties: { inner: ref('Inner'), plain: ref('Plain') } };
    const outcome = openAnswerEnums(
      document(ref('Outer'), ref('Outer'), { Outer: outer, Inner: CLOSED, Plain: { type: 'string' } }),
    );
    expect(outcome).toEqual(
      document(ref('Outer'), ref('OuterOutput'), {
        Outer: outer,
        OuterOutput: { type: 'object', properties: { inner: ref('InnerOutput'), plain: ref('Plain') } },
        Inner: CLOSED,
        InnerOutput: OPEN,
        Plain: { type: 'string' },
      }),
    );
  });
});
