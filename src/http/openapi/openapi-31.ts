import { type OpenAPIObject } from '@nestjs/swagger';
import { mapOperations, type Node } from './openapi-nodes.js';

/**
 * Returns the document in the schema language of OpenAPI 3.1, which is JSON Schema. The framework still generates some
 * of 3.0, above all `nullable`.
 */
export function asOpenApi31(document: OpenAPIObject): OpenAPIObject {
  // States explicitly that an operation without security requires no credentials.
  return mapOperations(convert(document) as OpenAPIObject, (operation) => ({ security: [], ...operation }));
}

function convert(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(convert);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, ...rest }: Node = Object.fromEntries(
    Object.entries(node as Node).map(([name, value]) => [
      name,
      name === 'example' || name === 'examples' ? value : convert(value),
    ]),
  );
  // Next to an explicit union, `object` is only the compiler plugin's guess for any union.
  if (Array.isArray(rest.oneOf) && rest.type === 'object') delete rest.type;
  // A class that narrows the choices of its parent inherits the parent's example.
  const choices = 'const' in rest ? [rest.const] : (rest.enum as unknown[] | undefined);
  if (choices && 'example' in rest && !choices.includes(rest.example)) rest.example = choices[0];
  return nullable === true ? orNull(rest) : rest;
}

function orNull(schema: Node): Node {
  if (schema.type !== undefined) {
    const { enum: choices } = schema;
    return {
      ...schema,
      type: withOne([schema.type].flat(), 'null'),
      ...(Array.isArray(choices) && { enum: withOne(choices, null) }),
    };
  }
  if (Array.isArray(schema.oneOf)) return { ...schema, oneOf: [...(schema.oneOf as unknown[]), { type: 'null' }] };
  const { description, example, ...rest } = schema;
  if (Object.keys(rest).length === 0) return schema;
  return {
    ...(description !== undefined && { description }),
    ...(example !== undefined && { example }),
    anyOf: [
      Array.isArray(rest.allOf) && rest.allOf.length === 1 ? (rest.allOf as unknown[])[0] : rest,
      { type: 'null' },
    ],
  };
}

function withOne(values: unknown[], value: unknown): unknown[] {
  return values.includes(value) ? values : [...values, value];
}
