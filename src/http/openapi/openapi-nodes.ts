import { type OpenAPIObject } from '@nestjs/swagger';

/** An object of the document, schema or not. */
export type Node = Record<string, unknown>;

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function mapValues(node: Node, to: (value: unknown) => unknown): Node {
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, to(value)]));
}

/** The component schemas of a document, by name. */
export function schemasOf(document: OpenAPIObject): Record<string, Node> {
  return (document.components?.schemas ?? {}) as Record<string, Node>;
}

export function operationsOf(document: OpenAPIObject): Node[] {
  return Object.values(document.paths).flatMap((path) => Object.values(path) as Node[]);
}

/** A copy of the document with each operation as `to` gives it. */
export function mapOperations(document: OpenAPIObject, to: (operation: Node) => Node): OpenAPIObject {
  const paths = mapValues(document.paths, (path) => mapValues(path as Node, (operation) => to(operation as Node)));
  return { ...document, paths: paths as OpenAPIObject['paths'] };
}
