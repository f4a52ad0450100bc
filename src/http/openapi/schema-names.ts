import { type OpenAPIObject } from '@nestjs/swagger';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

/** Returns the document with schema names for readers and generated types, such as `Monitor` and `MonitorList`. */
export function withSchemaNames(document: OpenAPIObject): OpenAPIObject {
  const schemas = document.components?.schemas ?? {};
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [name, nameOf(name, schema)]));
  if (new Set(names.values()).size < names.size)
    throw new Error('Two schemas in the document would have the same name.');
  const text = JSON.stringify(document).replace(
    /"#\/components\/schemas\/(\w+)"/g,
    (_, name: string) => `"#/components/schemas/${names.get(name) ?? name}"`,
  );
  const renamed = JSON.parse(text) as OpenAPIObject;
  const entries = Object.entries(renamed.components?.schemas ?? {}).map(([name, schema]) => [names.get(name), schema]);
  return { ...renamed, components: { ...renamed.components, schemas: Object.fromEntries(entries) as Schemas } };
}

function nameOf(name: string, schema: Schemas[string]): string {
  const plain = name.replace(/Dto$/, '');
  const isList = 'properties' in schema && schema.properties?.nextCursor !== undefined;
  return isList ? plain.replace(/Page$/, 'List') : plain;
}
