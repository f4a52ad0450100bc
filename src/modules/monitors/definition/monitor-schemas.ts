import {
  type Described,
  type DescribedClass,
  type ObjectSchema,
  pageSchema,
  ref,
  refine,
  type Schema,
  type Schemas,
} from '../../../http/openapi/type-schemas.js';
import { awaitsReports, PROBES } from '../../../probes/index.js';
import { type ProbeDefinition } from '../../../probes/probe.js';
import { CreateMonitorDto, MonitorDefinitionDto } from '../dto/monitor-definition.dto.js';
import { MonitorStatusDto } from '../dto/monitor.dto.js';
import { PauseMonitorDto } from '../dto/pause-monitor.dto.js';
import { CHECKING_FIELDS, TYPE_FIELDS } from './monitor-fields.js';

type Class = DescribedClass;

const title = (probe: ProbeDefinition, suffix: string): string =>
  `${probe.type.charAt(0).toUpperCase()}${probe.type.slice(1)}Monitor${suffix}`;

const fieldsOf = (probe: ProbeDefinition): Class & Described => probe.fields;
export const PROBE_CLASSES = PROBES.flatMap((probe) => [fieldsOf(probe), ...(fieldsOf(probe).models ?? [])]);
/** Classes that have no schema of their own, because they are documented as parts of other schemas. */
export const PARTS: readonly Class[] = [
  CreateMonitorDto,
  MonitorDefinitionDto,
  MonitorStatusDto,
  ...PROBES.map(fieldsOf),
];

/**
 * Adds the schemas that depend on the registry of monitor types: for each type those of a monitor, its creation, its
 * replacement and its definition, and their unions. `schemas` already contains the schemas of the DTO classes.
 */
export function describeMonitorTypes(schemas: Schemas): void {
  for (const cls of [CreateMonitorDto, MonitorDefinitionDto, PauseMonitorDto, ...PROBE_CLASSES]) {
    refine(schemas[cls.name] as unknown as ObjectSchema, cls);
  }
  const create = schemas[CreateMonitorDto.name] as unknown as ObjectSchema;
  const definition = schemas[MonitorDefinitionDto.name] as unknown as ObjectSchema;
  const status = schemas[MonitorStatusDto.name] as unknown as ObjectSchema;
  for (const probe of PROBES) {
    const fields = schemas[probe.fields.name] as unknown as ObjectSchema;
    schemas[title(probe, 'Create')] = createSchema(probe, create, fields);
    schemas[title(probe, 'Replacement')] = replacementSchema(
      schemas[title(probe, 'Create')] as unknown as ObjectSchema,
    );
    schemas[title(probe, 'Definition')] = definitionSchema(probe, definition, create, fields);
    schemas[title(probe, '')] = monitorSchema(probe, { definition, status, fields });
  }
  schemas.MonitorCreate = union('Create');
  schemas.MonitorReplacement = union('Replacement');
  schemas.MonitorDefinition = openUnion('Definition');
  schemas.Monitor = openUnion('');
  schemas.MonitorPatch = patchSchema(
    create,
    PROBES.map((probe) => schemas[probe.fields.name] as unknown as ObjectSchema),
  );
  schemas.MonitorPage = pageSchema('Monitor');
  schemas.MonitorDefinitionPage = pageSchema('MonitorDefinition');
  for (const { name } of PARTS) delete schemas[name];
}

/** Returns a schema of the writable fields of all types, all optional. Objects are merged, so any part may be sent. */
function patchSchema(create: ObjectSchema, fields: ObjectSchema[]): Schema {
  const { type: _type, paused: _paused, ...common } = create.properties;
  const sources: Schemas[] = [common, ...fields.map((one) => one.properties)];
  const members = [...new Set(sources.flatMap((one) => Object.keys(one)))].map((name) => {
    const variants = sources.flatMap((one): Schema[] => (one[name] ? [one[name]] : []));
    const { description, example } = variants[0]!;
    const shapes = distinct(variants.map(({ description: _description, example: _example, ...shape }) => shape));
    const isOfType = isObject(shapes[0]!) && shapes.length > 1;
    const value = isObject(shapes[0]!) ? { type: 'object' } : shapes.length > 1 ? { anyOf: shapes } : shapes[0];
    const words = isOfType ? 'What only the type of the monitor needs; see its definition.' : description;
    return [name, { description: words, example, ...value, nullable: true }] as const;
  });
  return {
    type: 'object',
    properties: {
      type: { type: 'string', enum: PROBES.map((probe) => probe.type) },
      ...(Object.fromEntries(members) as Schemas),
    },
    additionalProperties: false,
  };
}

function distinct(schemas: Schema[]): Schema[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

function isObject({ additionalProperties, oneOf, allOf, anyOf }: Schema): boolean {
  const isReference = (one: Schema): boolean => '$ref' in one || one.type === 'null';
  const isReferences = (list: unknown) => Array.isArray(list) && (list as Schema[]).every(isReference);
  return additionalProperties !== undefined || [oneOf, allOf, anyOf].some(isReferences);
}

function union(suffix: string): Schema {
  return {
    oneOf: PROBES.map((probe) => ref(title(probe, suffix))),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(PROBES.map((probe) => [probe.type, ref(title(probe, suffix)).$ref])),
    },
  };
}

/** Returns a union for responses, where the list of types is open, like every list of values. */
function openUnion(suffix: string): Schema {
  const { oneOf, discriminator } = union(suffix);
  const types = PROBES.map((probe) => probe.type);
  return {
    description: 'One schema per monitor type. Later versions may add types.',
    oneOf,
    discriminator: { ...(discriminator as object), 'x-extensible-enum': types },
  };
}

/** `null` has the same effect as omitting a field, so fields that the type does not use may be sent as null. */
function createSchema(probe: ProbeDefinition, create: ObjectSchema, fields: ObjectSchema): Schema {
  const required = new Set([...(create.required ?? []), ...(fields.required ?? [])]);
  const members = Object.entries({ ...create.properties, ...fields.properties }).map(([name, schema]) => [
    name,
    required.has(name) ? schema : { ...schema, nullable: true },
  ]);
  return {
    type: 'object',
    description: probe.summary,
    properties: {
      ...(Object.fromEntries(members) as ObjectSchema['properties']),
      type: { type: 'string', const: probe.type },
      ...Object.fromEntries(unusedFields(probe).map((name) => [name, { type: 'null' }])),
    },
    required: [...required],
    additionalProperties: false,
    example: exampleOf(probe),
  };
}

/** Returns a minimal example, because some optional fields exclude each other. */
function exampleOf({ type, intervalSeconds = 60, example: { key, name, ...fields } }: ProbeDefinition): Schema {
  return { key, name, type, ...fields, ...(awaitsReports(type) ? {} : { intervalSeconds }), tags: ['production'] };
}

/** Request bodies that create a monitor, one for each type, whether or not this machine can check it. */
export const MONITOR_EXAMPLES = examplesOf(PROBES);
/** Those of them that can be tested without being stored. */
export const TRIAL_EXAMPLES = examplesOf(PROBES.filter(({ type }) => !awaitsReports(type)));

function examplesOf(probes: readonly ProbeDefinition[]): Record<string, { summary: string; value: Schema }> {
  return Object.fromEntries(probes.map((probe) => [probe.type, { summary: probe.summary, value: exampleOf(probe) }]));
}

function unusedFields(probe: ProbeDefinition): string[] {
  const used = TYPE_FIELDS.of(probe);
  return [
    ...[...TYPE_FIELDS.any].filter((name) => !used.has(name)),
    ...(awaitsReports(probe.type) ? CHECKING_FIELDS : []),
  ];
}

/** Relaxes the schema of `auth`, because a stored secret need not be sent again. */
function replacementSchema(create: ObjectSchema): Schema {
  const { auth, ...others } = create.properties;
  if (!auth || !isObject(auth)) return { ...create };
  const { description, example } = auth;
  return { ...create, properties: { ...others, auth: { type: 'object', description, example, nullable: true } } };
}

/** Returns the schema of the writable fields in responses, which always contain all of them. */
function definitionSchema(
  probe: ProbeDefinition,
  definition: ObjectSchema,
  { properties: { paused } }: ObjectSchema,
  fields: ObjectSchema,
): Schema {
  const properties = { ...readProperties(probe, definition, fields), paused: paused! };
  const description = `The writable fields of a monitor of type ${probe.type}, with secrets masked.`;
  return { type: 'object', description, properties, required: Object.keys(properties) };
}

function readProperties(
  probe: ProbeDefinition,
  definition: ObjectSchema,
  fields: ObjectSchema,
): Record<string, Schema> {
  const examples: Record<string, unknown> = { ...probe.defaults, ...probe.example };
  const members = Object.entries({ ...definition.properties, ...fields.properties }).map(([name, schema]) => [
    name,
    name in examples ? { ...schema, example: examples[name] } : schema,
  ]);
  return {
    ...(Object.fromEntries(members) as Record<string, Schema>),
    type: { type: 'string', const: probe.type },
    ...Object.fromEntries(unusedFields(probe).map((name) => [name, { type: 'null' }])),
  };
}

/** Returns the schema of a monitor in responses. Every field is present; those that the type does not use are null. */
function monitorSchema(
  probe: ProbeDefinition,
  { definition, status, fields }: { definition: ObjectSchema; status: ObjectSchema; fields: ObjectSchema },
): Schema {
  const properties: Record<string, Schema> = {
    ...status.properties,
    ...readProperties(probe, definition, fields),
  };
  return { type: 'object', description: probe.summary, properties, required: Object.keys(properties) };
}
