import { type ChannelDefinition } from '../../channels/channel.js';
import { CHANNELS } from '../../channels/index.js';
import {
  type Described,
  type DescribedClass,
  type ObjectSchema,
  pageSchema,
  ref,
  refine,
  type Schema,
  type Schemas,
} from '../../http/openapi/type-schemas.js';
import { CreateNotificationChannelDto } from './dto/create-notification-channel.dto.js';
import { NotificationChannelDto } from './dto/notification-channel.dto.js';

const fieldsOf = (channel: ChannelDefinition): DescribedClass & Described => channel.fields;

/** The classes from which the schemas are assembled. */
export const CHANNEL_CLASSES: readonly (DescribedClass & Described)[] = CHANNELS.flatMap((channel) => [
  fieldsOf(channel),
  ...(fieldsOf(channel).models ?? []),
]);

/** Classes that have no schema of their own, because they are documented as parts of other schemas. */
export const PARTS: readonly DescribedClass[] = [
  CreateNotificationChannelDto,
  NotificationChannelDto,
  ...CHANNELS.map(fieldsOf),
];

/** Request bodies that create a channel, one for each type. */
export const CHANNEL_EXAMPLES = Object.fromEntries(
  CHANNELS.map((channel) => [channel.type, { summary: channel.summary, value: exampleOf(channel) }]),
);

/**
 * Adds the schemas that depend on the registry of channel types: for each type those of a channel, its creation and its
 * replacement, and their unions. `schemas` already contains the schemas of the classes.
 */
export function describeChannelTypes(schemas: Schemas): void {
  for (const cls of CHANNEL_CLASSES) refine(objectIn(schemas, cls.name), cls);
  const create = objectIn(schemas, CreateNotificationChannelDto.name);
  const shown = objectIn(schemas, NotificationChannelDto.name);
  for (const channel of CHANNELS) {
    const fields = objectIn(schemas, channel.fields.name);
    schemas[title(channel, 'Create')] = writeSchema(channel, create, fields, fields.required ?? []);
    const secrets = new Set(secretNames(channel));
    const required = (fields.required ?? []).filter((name) => !secrets.has(name));
    schemas[title(channel, 'Replacement')] = writeSchema(channel, create, fields, required);
    schemas[title(channel, '')] = readSchema(channel, shown, fields);
  }
  schemas.NotificationChannelCreate = union('Create');
  schemas.NotificationChannelReplacement = union('Replacement');
  schemas.NotificationChannel = openUnion();
  schemas.NotificationChannelPatch = patchSchema(create);
  schemas.NotificationChannelPage = pageSchema('NotificationChannel');
  for (const { name } of PARTS) delete schemas[name];
}

function objectIn(schemas: Schemas, name: string): ObjectSchema {
  return schemas[name] as unknown as ObjectSchema;
}

function title({ type }: ChannelDefinition, suffix: string): string {
  const name = type.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return `${name}Channel${suffix}`;
}

function exampleOf({ type, example: { key, name, settings } }: ChannelDefinition): Schema {
  return { key, name, type, settings };
}

/** Returns the names of the settings that are, or contain, secrets. */
function secretNames(channel: ChannelDefinition): string[] {
  return channel.secretPaths(channel.example.settings).map(([name = '']) => name);
}

/** `null` has the same effect as omitting a field. */
function writeSchema(
  channel: ChannelDefinition,
  create: ObjectSchema,
  fields: ObjectSchema,
  required: readonly string[],
): Schema {
  const optional = (property: Schema, isRequired: boolean): Schema =>
    isRequired ? property : { ...property, nullable: true };
  const settings = Object.entries(fields.properties).map(([name, property]) => [
    name,
    optional(property, required.includes(name)),
  ]);
  const common = Object.entries(create.properties).map(([name, property]) => [
    name,
    optional(property, ['name', 'type', 'settings'].includes(name)),
  ]);
  return {
    type: 'object',
    description: channel.summary,
    properties: {
      ...(Object.fromEntries(common) as Record<string, Schema>),
      type: { type: 'string', const: channel.type },
      settings: {
        type: 'object',
        description: `The settings of a channel of type \`${channel.type}\`.`,
        properties: Object.fromEntries(settings) as Record<string, Schema>,
        ...(required.length > 0 && { required }),
        additionalProperties: false,
      },
    },
    required: ['name', 'type', 'settings'],
    additionalProperties: false,
    example: exampleOf(channel),
  };
}

/** Returns the schema of a channel in responses. Every setting is present; those without a value are null. */
function readSchema(channel: ChannelDefinition, shown: ObjectSchema, fields: ObjectSchema): Schema {
  const examples: Record<string, unknown> = { ...channel.defaults, ...channel.example.settings };
  const isPresent = new Set([...(fields.required ?? []), ...Object.keys(channel.defaults)]);
  const secrets = new Set(secretNames(channel));
  const settings = Object.entries(fields.properties).map(([name, property]) => {
    // A mask has neither the format nor the length of the secret that it stands for.
    const { pattern: _, format: __, minLength: ___, ...plain } = property;
    const value = secrets.has(name) ? plain : property;
    const example = name in examples ? { example: examples[name] } : {};
    return [name, { ...value, ...example, ...(!isPresent.has(name) && { nullable: true }) }];
  });
  const properties: Record<string, Schema> = {
    ...shown.properties,
    type: { type: 'string', const: channel.type },
    settings: {
      type: 'object',
      description: `The settings of a channel of type \`${channel.type}\`, with secrets masked.`,
      properties: Object.fromEntries(settings) as Record<string, Schema>,
      required: Object.keys(fields.properties),
    },
  };
  return { type: 'object', description: channel.summary, properties, required: Object.keys(properties) };
}

function patchSchema(create: ObjectSchema): Schema {
  const members = Object.entries(create.properties).map(([name, property]) => [name, { ...property, nullable: true }]);
  return {
    type: 'object',
    properties: {
      ...(Object.fromEntries(members) as Record<string, Schema>),
      type: { type: 'string', enum: CHANNELS.map(({ type }) => type) },
      settings: {
        type: 'object',
        description: 'The settings to change. They are merged with the others.',
        additionalProperties: true,
        nullable: true,
      },
    },
    additionalProperties: false,
  };
}

function union(suffix: string): Schema {
  return {
    oneOf: CHANNELS.map((channel) => ref(title(channel, suffix))),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(CHANNELS.map((channel) => [channel.type, ref(title(channel, suffix)).$ref])),
    },
  };
}

/** Returns a union for responses, where the list of types is open, like every list of values. */
function openUnion(): Schema {
  const { oneOf, discriminator } = union('');
  return {
    description: 'One schema per channel type. Later versions may add types.',
    oneOf,
    discriminator: { ...(discriminator as object), 'x-extensible-enum': CHANNELS.map(({ type }) => type) },
  };
}
