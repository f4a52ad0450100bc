import { type OpenAPIObject } from '@nestjs/swagger';
import { isNode, mapOperations, mapValues, type Node, operationsOf, schemasOf } from './openapi-nodes.js';

type Schemas = Record<string, Node>;

const COMPONENT = '#/components/schemas/';
/** Below these stands data, not schema. */
const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'const']);
const NONE: ReadonlySet<string> = new Set();

/**
 * The document with the lists of values in answers left open: an `enum` becomes any string, of which the values that are
 * known today are one alternative and `x-extensible-enum`. A client generated now knows these, and takes one that a later
 * version adds. What is sent stays closed. A schema that goes both ways gets a copy for the answers, `<name>Output`;
 * `const` stays what it is.
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

/** The names of the component schemas that a part of the document leads to. */
function reached(node: unknown, schemas: Schemas, found = new Set<string>()): Set<string> {
  for (const [, name = ''] of (JSON.stringify(node) ?? '').matchAll(/"#\/components\/schemas\/([^"/]+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    reached(schemas[name], schemas, found);
  }
  return found;
}

/** A part of the document as answers have it; references to the copied schemas lead to the copies. */
function opened(node: unknown, copied: ReadonlySet<string>): unknown {
  if (typeof node === 'string') {
    return node.startsWith(COMPONENT) && copied.has(node.slice(COMPONENT.length)) ? outputOf(node) : node;
  }
  if (Array.isArray(node)) return node.map((element) => opened(element, copied));
  if (!isNode(node)) return node;
  const members = Object.entries(node).map(([name, value]) => {
    if (DATA.has(name)) return [name, value];
    // Members of an answer may be named like a keyword.
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
