import { type OpenAPIObject } from '@nestjs/swagger';

/** An operation of the OpenAPI document, as far as the tests need it. */
export interface Operation {
  operationId: string;
  /** In upper case. */
  method: string;
  /** With `{name}` for its variables. */
  path: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { content: Record<string, { examples?: Record<string, { value: unknown }> }> };
  responses: Record<
    string,
    { content?: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }> }
  >;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  example?: unknown;
  schema: { examples?: unknown[] };
}

/** A property of a schema in `components`. */
export interface Property {
  /** The name of the component. */
  name: string;
  property: string;
  schema: Record<string, unknown>;
  required: boolean;
}

export function propertiesOf(document: OpenAPIObject): Property[] {
  const schemas = Object.entries(document.components?.schemas ?? {}) as [string, Record<string, unknown>][];
  return schemas.flatMap(([name, schema]) =>
    Object.entries((schema.properties ?? {}) as Record<string, Record<string, unknown>>).map(([property, one]) => ({
      name,
      property,
      schema: one,
      required: ((schema.required ?? []) as string[]).includes(property),
    })),
  );
}

export function operationsOf(document: OpenAPIObject): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Partial<Operation>>).map(([method, operation]) => ({
      ...(operation as Operation),
      method: method.toUpperCase(),
      path,
      parameters: (operation.parameters ?? []).map((parameter) => resolved(document, parameter)),
    })),
  );
}

function resolved(document: OpenAPIObject, parameter: Parameter | { $ref: string }): Parameter {
  if (!('$ref' in parameter)) return parameter;
  return document.components?.parameters?.[parameter.$ref.split('/').at(-1)!] as unknown as Parameter;
}

/** Returns the first example of a parameter; `undefined` if there is none. */
export function parameterExample({ example, schema }: Parameter): unknown {
  return example ?? schema.examples?.[0];
}

/** Returns every example of the request body, once for each media type. */
export function bodyExamples({ requestBody }: Operation): { name: string; type: string; value: unknown }[] {
  return Object.entries(requestBody?.content ?? {}).flatMap(([type, { examples = {} }]) =>
    Object.entries(examples).map(([name, { value }]) => ({ name, type, value })),
  );
}
