import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { ApiConditionalGet, CREATED_HEADERS, ITEM_HEADERS, PAGE_HEADERS } from '../../http/openapi/openapi.js';
import { ref } from '../../http/openapi/type-schemas.js';
import { ConfirmingDto, LastErrorDto } from './dto/monitor.dto.js';
import { PauseMonitorDto } from './dto/pause-monitor.dto.js';
import { MONITOR_EXAMPLES, PARTS, PROBE_CLASSES } from './definition/monitor-schemas.js';

const MODELS = ApiExtraModels(...PARTS, ConfirmingDto, LastErrorDto, PauseMonitorDto, ...PROBE_CLASSES);

export const ApiMonitor = (status: 200 | 201) =>
  applyDecorators(
    MODELS,
    ApiResponse({
      status,
      description: 'The monitor.',
      headers: status === 201 ? CREATED_HEADERS : ITEM_HEADERS,
      content: { 'application/json': { schema: ref('Monitor') } },
    }),
  );

export const ApiMonitorItem = () =>
  applyDecorators(
    MODELS,
    ApiConditionalGet(),
    ApiResponse({
      status: 200,
      description: 'The monitor.',
      headers: ITEM_HEADERS,
      content: { 'application/json': { schema: ref('Monitor') } },
    }),
  );

export const ApiMonitorDefinition = () =>
  applyDecorators(
    MODELS,
    ApiConditionalGet(),
    ApiResponse({
      status: 200,
      description: 'The writable fields, with secrets masked.',
      headers: ITEM_HEADERS,
      content: { 'application/json': { schema: ref('MonitorDefinition') } },
    }),
  );

export const ApiMonitorPage = () => pageOf('MonitorPage', 'A page of monitors.');

export const ApiMonitorDefinitionPage = () => pageOf('MonitorDefinitionPage', 'A page of definitions.');

function pageOf(schema: string, description: string): MethodDecorator {
  const content = { 'application/json': { schema: ref(schema) } };
  return ApiResponse({ status: 200, description, headers: PAGE_HEADERS, content });
}

export const ApiMonitorReplacement = () =>
  ApiBody({
    required: true,
    description:
      'The whole definition. Omitted fields take their defaults, except that stored secrets are retained if they are ' +
      'masked or omitted: `auth` or its secret member, passwords and keys in `settings`, and secret headers or metadata ' +
      'if `headers` or `metadata` is omitted. Omitted optional members that they belong to, such as `username`, ' +
      '`proxyUrl` and `secretHeaders`, are retained with them. Steps of a sequence retain what the stored step of the ' +
      'same name has. Null removes a secret, or what it belongs to.',
    schema: ref('MonitorReplacement'),
    // Only the type of the monitor at the example address.
    examples: { http: MONITOR_EXAMPLES.http! },
  });

export const ApiMonitorPatch = () =>
  applyDecorators(
    ApiBody({
      required: true,
      description: 'A merge patch of the writable fields. Null clears a field or restores its default.',
      schema: ref('MonitorPatch'),
      examples: {
        interval: { summary: 'Check more often.', value: { intervalSeconds: 30 } },
        assertion: {
          summary: 'Check the response time.',
          value: { assertions: [{ source: 'responseTimeMs', comparison: 'lessThan', target: 2_000 }] },
        },
      },
    }),
    ApiConsumes('application/json', 'application/merge-patch+json'),
  );

export const ApiPauseBody = () =>
  ApiBody({
    required: false,
    schema: { $ref: getSchemaPath(PauseMonitorDto) },
    examples: {
      deployment: { summary: 'Pause for ten minutes.', value: { durationSeconds: 600, reason: 'Deploying 2.4.0' } },
    },
  });
