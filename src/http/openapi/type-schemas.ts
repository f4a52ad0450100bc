import { getMetadataStorage } from 'class-validator';

export type Schema = Record<string, unknown>;
export type Schemas = Record<string, Schema>;
export interface ObjectSchema {
  properties: Record<string, Schema>;
  required?: string[];
}

/** Documentation that a class of fields may add to their types. Plain data, because such classes know no framework. */
export interface Described {
  /** Classes of nested members. */
  models?: readonly (DescribedClass & Described)[];
  /** JSON Schemas of members by name, which replace those derived from their types. */
  schemas?: Record<string, object>;
}
export type DescribedClass = new () => object;

export const ref = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

/** Returns the schema of a page of a list. */
export function pageSchema(item: string): Schema {
  return {
    type: 'object',
    required: ['data', 'nextCursor'],
    properties: { data: { type: 'array', items: ref(item) }, nextCursor: { type: ['string', 'null'] } },
  };
}

/** Completes a schema with information from the validators of its class and from the class itself. */
export function refine(schema: ObjectSchema, cls: DescribedClass & Described): void {
  for (const { propertyName, name } of getMetadataStorage().getTargetValidationMetadatas(cls, '', false, false)) {
    const property = schema.properties[propertyName];
    if (name === 'isInt' && property) {
      property.type = Array.isArray(property.type) ? ['integer', 'null'] : 'integer';
    }
  }
  for (const [name, said] of Object.entries(cls.schemas ?? {})) {
    const { description, example } = schema.properties[name]!;
    schema.properties[name] = { description, example, ...said };
  }
}
