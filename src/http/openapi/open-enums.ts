import { type OpenAPIObject } from '@nestjs/swagger';
import { isNode, mapOperations, mapValues, type Node, operationsOf, schemasOf } from './openapi-nodes.js';

type Schemas = Record<string, Node>;

const COMPONENT = '#/components/schemas/';
/** The values of these members are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'const']);
const NONE: ReadonlySet<string> = new Set();

/**
 * Returns the document with open enums in responses: an `enum` becomes any string, with the currently known values as
 * one alternative and in `x-extensible-enum`. A client generated today knows these values and accepts those that a
 * later version adds. Enums in requests remain closed. A schema used in both directions gets a copy for responses,
 * `<name>Output`. `const` is unchanged.
 */
export function openAnswerEnums(document: OpenAPIObject): OpenAPIObject {
  const schemas = schemasOf(document);
  const operations = operationsOf(document);
  const sent = reached(
    operations.map(({ parameters, requestBody }) => [parameters, requestBody]),
    schemas,
  );
  const answered = reached(
    operations.map(({ responses }) => responses),
    schemas,
  );
  const changes = (name: string): boolean =>
    JSON.stringify(opened(schemas[name], NONE)) !== JSON.stringify(schemas[name]);
  const copied = new Set(
    [...answered].filter((name) => sent.has(name) && [name, ...reached(schemas[name], schemas)].some(changes)),
  );

  const components = Object.entries(schemas).flatMap(([name, schema]): [string, unknown][] => {
    const outcome = answered.has(name) ? opened(schema, copied) : schema;
    return copied.has(name) ? [[name, schema], [outputOf(name), outcome]] : [[name, outcome]]; // prettier-ignore
  });
  const { paths } = mapOperations(document, (operation) => ({
    ...operation,
    responses: opened(operation.responses, copied),
  }));
  return {
    ...document,
    paths,
    components: { ...document.components, schemas: Object.fromEntries(components) as Record<string, object> },
  };
}

/** Returns the names of the component schemas that a part of the document refers to, directly or indirectly. */
function reached(node: unknown, schemas: Schemas, found = new Set<string>()): Set<string> {
  for (const [, name = ''] of (JSON.stringify(node) ?? '').matchAll(/"#\/components\/schemas\/([^"/]+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    reached(schemas[name], schemas, found);
  }
  return found;
}

/** Returns a part of the document as it appears in responses. References to copied schemas refer to the copies. */
function opened(node: unknown, copied: ReadonlySet<string>): unknown {
  if (typeof node === 'string') {
    return node.startsWith(COMPONENT) && copied.has(node.slice(COMPONENT.length)) ? outputOf(node) : node;
  }
  if (Array.isArray(node)) return node.map((element) => opened(element, copied));
  if (!isNode(node)) return node;
  const members = Object.entries(node).map(([name, value]) => {
    if (DATA.has(name)) return [name, value];
    // Properties of a response may have the same name as a keyword.
    const isMap = name === 'properties' && isNode(value);
    return [name, isMap ? mapValues(value, (one) => opened(one, copied)) : opened(value, copied)];
  });
  const { enum: values, type, ...rest } = Object.fromEntries(members) as Node;
  if (!isTextEnum(values)) return Object.fromEntries(members);
  const known = values.filter((value) => value !== null);
  const none = known.length < values.length || (Array.isArray(type) && type.includes('null')) ? [{ type: 'null' }] : [];
  return {
    ...rest,
    anyOf: [{ type: 'string', enum: known }, { type: 'string' }, ...none],
    'x-extensible-enum': known,
  };
}

function outputOf(name: string): string {
  return `${name}Output`;
}

function isTextEnum(values: unknown): values is (string | null)[] {
  return Array.isArray(values) && values.every((value) => typeof value === 'string' || value === null);
}
