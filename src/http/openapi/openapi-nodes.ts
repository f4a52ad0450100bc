import { type OpenAPIObject } from '@nestjs/swagger';

/** An object in the document, schema or not. */
export type Node = Record<string, unknown>;

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function mapValues(node: Node, to: (value: unknown) => unknown): Node {
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, to(value)]));
}

/** Returns the component schemas of a document, by name. */
export function schemasOf(document: OpenAPIObject): Record<string, Node> {
  return (document.components?.schemas ?? {}) as Record<string, Node>;
}

export function operationsOf(document: OpenAPIObject): Node[] {
  return Object.values(document.paths).flatMap((path) => Object.values(path) as Node[]);
}

/** Returns a copy of the document in which each operation is replaced with the result of `to`. */
export function mapOperations(document: OpenAPIObject, to: (operation: Node) => Node): OpenAPIObject {
  const paths = mapValues(document.paths, (path) => mapValues(path as Node, (operation) => to(operation as Node)));
  return { ...document, paths: paths as OpenAPIObject['paths'] };
}
