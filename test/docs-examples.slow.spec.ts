import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { sharedApp, type TestApp } from './support/app.js';
import { operationsOf, propertiesOf } from './support/documented.js';

// Separate from the other tests of the document, because compiling every schema is slow.

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
});
afterAll(() => app.close());

describe('the OpenAPI document', () => {
  it('has a valid example of each response', () => {
    for (const { method, path, responses } of operationsOf(app.document)) {
      for (const [status, { content = {} }] of Object.entries(responses)) {
        const isEmpty = status === '204' || status === '304';
        const hasCsv = path === '/v1/reports/sla' && status === '200';
        expect({ method, path, status, content: Object.keys(content).length }).toEqual({
          method,
          path,
          status,
          content: isEmpty ? 0 : hasCsv ? 2 : 1,
        });
        for (const [contentType, { example, examples }] of Object.entries(content)) {
          const bodies = examples ? Object.values(examples).map(({ value }) => value) : [example];
          const exchange = { method, path, status: Number(status), sent: undefined, sentType: '' };
          for (const body of bodies) app.contract.check({ ...exchange, contentType, body });
        }
      }
    }
  });

  it('has property examples that are valid against their schemas', () => {
    const ajv = new Ajv2020({ strict: false });
    (formats as unknown as (ajv: Ajv2020) => void)(ajv);
    ajv.addSchema(app.document, 'openapi');
    const misfits = propertiesOf(app.document).flatMap(({ name, property, schema }) => {
      const examples = [...('example' in schema ? [schema.example] : []), ...((schema.examples ?? []) as unknown[])];
      const validate = ajv.getSchema(`openapi#/components/schemas/${name}/properties/${property}`)!;
      return examples.filter((one) => !validate(one)).map((one) => `${name}.${property}: ${JSON.stringify(one)}`);
    });
    expect(misfits).toEqual([]);
  });
});
