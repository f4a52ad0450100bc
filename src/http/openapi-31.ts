import { type OpenAPIObject } from '@nestjs/swagger';

type Node = Record<string, unknown>;

/**
 * The document in the schema language of OpenAPI 3.1, which is JSON Schema: the framework still writes some of 3.0's,
 * `nullable` above all.
 */
export function asOpenApi31(document: OpenAPIObject): OpenAPIObject {
  return convert(document) as OpenAPIObject;
}

function convert(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(convert);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(node as Node).map(([name, value]) => [
      name,
      name === 'example' || name === 'examples' ? value : convert(value),
    ]),
  ) as Node;
  return nullable === true ? orNull(rest) : rest;
}

function orNull(schema: Node): Node {
  if (typeof schema.type === 'string') {
    const { enum: choices } = schema;
    return {
      ...schema,
      type: [schema.type, 'null'],
      ...(Array.isArray(choices) && { enum: [...(choices as unknown[]), null] }),
    };
  }
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
