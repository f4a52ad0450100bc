import { type OpenAPIObject } from '@nestjs/swagger';
import { isNode, mapOperations, mapValues, type Node, schemasOf } from './openapi-nodes.js';

/**
 * Returns the document with an example of each response, assembled from the examples of its members. Examples of
 * required parameters are placed where the explorer fills its form from. Those of optional ones are not, because
 * prefilled filters would narrow every list.
 */
export function withOperationExamples(document: OpenAPIObject): OpenAPIObject {
  const schemas = schemasOf(document);
  const { parameters: shared, ...components } = document.components ?? {};
  const parameters = shared && (mapValues(shared, withExample) as typeof shared);
  return mapOperations(
    { ...document, components: { ...components, ...(parameters && { parameters }) } },
    ({ parameters, responses, ...operation }) => ({
      ...operation,
      ...(Array.isArray(parameters) && { parameters: parameters.map(withExample) }),
      responses: mapValues(responses as Node, (response) => withExamples(response as Node, schemas)),
    }),
  );
}

function withExample(parameter: unknown): Node {
  const { schema, example: ownExample, ...rest } = parameter as Node;
  if (!isNode(schema)) return parameter as Node;
  const { example = ownExample, ...bare } = schema;
  if (example === undefined) return parameter as Node;
  return rest.required === true
    ? { ...rest, schema: bare, example }
    : { ...rest, schema: { ...bare, examples: [example] } };
}

function withExamples(response: Node, schemas: Record<string, Node>): Node {
  if (!isNode(response.content)) return response;
  const content = mapValues(response.content, (media) => {
    if (!isNode(media) || 'example' in media || 'examples' in media) return media;
    const example = exampleOf(media.schema as Node, schemas);
    return example === undefined ? media : { ...media, example };
  });
  return { ...response, content };
}

/**
 * Returns an example of a schema, from the examples of the schema and its parts; the first of several alternatives.
 * `undefined` if a part has none, unless null is allowed.
 */
export function exampleOf(schema: Node, schemas: Record<string, Node>): unknown {
  if ('example' in schema) return schema.example;
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if (typeof schema.$ref === 'string') return exampleOf(schemas[schema.$ref.split('/').at(-1)!] ?? {}, schemas);
  if ('const' in schema) return schema.const;
  const [known] = (schema['x-extensible-enum'] ?? schema.enum ?? []) as unknown[];
  if (known !== undefined) return known;
  const [first] = (schema.oneOf ?? schema.anyOf ?? schema.allOf ?? []) as Node[];
  if (first) return exampleOf(first, schemas);
  const none = [schema.type].flat().includes('null') ? null : undefined;
  if (isNode(schema.items)) {
    const element = exampleOf(schema.items, schemas);
    return element === undefined ? none : [element];
  }
  if (!isNode(schema.properties)) return none;
  const members = mapValues(schema.properties, (property) => exampleOf(property as Node, schemas));
  return Object.values(members).includes(undefined) ? undefined : members;
}
