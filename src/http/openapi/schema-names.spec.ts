import { expect, it } from '@jest/globals';
import { type OpenAPIObject } from '@nestjs/swagger';
import { withSchemaNames } from './schema-names.js';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const page = (name: string) => ({
  type: 'object',
  properties: { data: { type: 'array', items: ref(name) }, nextCursor: { type: 'string' } },
});

const documentOf = (schemas: object): OpenAPIObject =>
  ({ openapi: '3.1.0', info: { title: 'x', version: '1' }, paths: {}, components: { schemas } }) as OpenAPIObject;

it('names schemas for their readers, and lists after their items', () => {
  const document = documentOf({
    ThingDto: { type: 'object' },
    ThingPageDto: page('ThingDto'),
    Part: { anyOf: [ref('ThingDto'), ref('StatusPageDto')] },
    StatusPageDto: { type: 'object' },
    StatusPagePageDto: page('StatusPageDto'),
  });
  expect(withSchemaNames(document).components!.schemas).toEqual({
    Thing: { type: 'object' },
    ThingList: page('Thing'),
    Part: { anyOf: [ref('Thing'), ref('StatusPage')] },
    StatusPage: { type: 'object' },
    StatusPageList: page('StatusPage'),
  });
});

it('throws if two schemas would have the same name', () => {
  const document = documentOf({ ThingDto: { type: 'object' }, Thing: { type: 'object' } });
  expect(() => withSchemaNames(document)).toThrow('Two schemas');
});
