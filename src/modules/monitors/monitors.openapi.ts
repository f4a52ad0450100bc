import { applyDecorators, type Type } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { PROBES } from '../../probes/index.js';
import { type ProbeDefinition } from '../../probes/probe.js';
import { CreateMonitorDto, MonitorDefinitionDto } from './dto/monitor-definition.dto.js';
import { LastErrorDto, MONITOR_STATUSES, MonitorStatusDto } from './dto/monitor.dto.js';
import { PauseMonitorDto } from './dto/pause-monitor.dto.js';
import { TYPE_FIELDS } from './monitor-fields.js';

type Schema = Record<string, unknown>;
interface ObjectSchema {
  properties: Record<string, Schema>;
  required?: string[];
}
type Schemas = Record<string, Schema>;

const ref = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });
const title = (probe: ProbeDefinition, suffix: string): string =>
  `${probe.type.charAt(0).toUpperCase()}${probe.type.slice(1)}Monitor${suffix}`;

const MODELS = ApiExtraModels(
  CreateMonitorDto,
  MonitorDefinitionDto,
  MonitorStatusDto,
  LastErrorDto,
  PauseMonitorDto,
  ...PROBES.map((probe) => probe.fields as Type<object>),
);

export const ApiMonitor = (status: 200 | 201) =>
  applyDecorators(
    MODELS,
    ApiResponse({
      status,
      description: 'The monitor.',
      ...(status === 201 && {
        headers: { Location: { description: 'Address of the monitor.', schema: { type: 'string' } } },
      }),
      content: { 'application/json': { schema: ref('Monitor') } },
    }),
  );

export const ApiMonitorPage = () =>
  ApiResponse({
    status: 200,
    description: 'A page of monitors.',
    headers: { Link: { description: '`rel="next"` where there is a next page.', schema: { type: 'string' } } },
    content: { 'application/json': { schema: ref('MonitorPage') } },
  });

export const ApiMonitorBody = () => ApiBody({ required: true, schema: ref('MonitorCreate') });

export const ApiMonitorPatch = () =>
  applyDecorators(
    ApiBody({
      required: true,
      description: 'A merge patch over the writable fields; null clears a field or restores its default.',
      schema: {
        type: 'object',
        additionalProperties: true,
        example: { name: 'Checkout API (EU)', intervalSeconds: 30, tags: ['production'] },
      },
    }),
  );

export const ApiPauseBody = () => ApiBody({ required: false, schema: { $ref: getSchemaPath(PauseMonitorDto) } });

/**
 * Adds the schemas that depend on the registry of monitor types: one of a monitor and one of its creation for each
 * type, and their unions. `schemas` holds those of the DTO classes.
 */
export function describeMonitorTypes(schemas: Schemas): void {
  const create = schemas[CreateMonitorDto.name] as unknown as ObjectSchema;
  const definition = schemas[MonitorDefinitionDto.name] as unknown as ObjectSchema;
  const status = schemas[MonitorStatusDto.name] as unknown as ObjectSchema;
  for (const probe of PROBES) {
    const fields = schemas[probe.fields.name] as unknown as ObjectSchema;
    schemas[title(probe, 'Create')] = createSchema(probe, create, fields);
    schemas[title(probe, '')] = monitorSchema(probe, { definition, status, fields });
  }
  schemas.MonitorCreate = union('Create');
  schemas.Monitor = union('');
  schemas.MonitorPage = {
    type: 'object',
    required: ['data', 'nextCursor'],
    properties: { data: { type: 'array', items: ref('Monitor') }, nextCursor: { type: ['string', 'null'] } },
  };
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

function createSchema(probe: ProbeDefinition, create: ObjectSchema, fields: ObjectSchema): Schema {
  return {
    type: 'object',
    description: probe.summary,
    properties: { ...create.properties, type: { const: probe.type }, ...fields.properties },
    required: [...new Set([...(create.required ?? []), ...(fields.required ?? [])])],
    additionalProperties: false,
  };
}

/** What is read always has every field: those that the type does not use read null. */
function monitorSchema(
  probe: ProbeDefinition,
  { definition, status, fields }: { definition: ObjectSchema; status: ObjectSchema; fields: ObjectSchema },
): Schema {
  const used = TYPE_FIELDS.of(probe);
  const unused = [...TYPE_FIELDS.any].filter((name) => !used.has(name));
  const properties: Record<string, Schema> = {
    ...status.properties,
    ...definition.properties,
    ...fields.properties,
    type: { const: probe.type },
    status: { type: 'string', enum: [...MONITOR_STATUSES], 'x-extensible-enum': true },
    ...Object.fromEntries(unused.map((name) => [name, { type: 'null' }])),
  };
  for (const name of ['key', 'description', 'degradedAfterMs', 'retryIntervalSeconds', 'expiresAt', 'body', 'auth']) {
    if (properties[name] && !unused.includes(name)) properties[name] = nullable(properties[name]);
  }
  return { type: 'object', description: probe.summary, properties, required: Object.keys(properties) };
}

function nullable(schema: Schema): Schema {
  return {
    anyOf: [schema, { type: 'null' }],
    ...(schema.description !== undefined && { description: schema.description }),
  };
}
