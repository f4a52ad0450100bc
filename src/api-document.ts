import { type INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { documentIdempotency } from './http/idempotency/idempotency.openapi.js';
import { openAnswerEnums } from './http/openapi/open-enums.js';
import { asOpenApi31 } from './http/openapi/openapi-31.js';
import { withOperationExamples } from './http/openapi/operation-examples.js';
import { operationId } from './http/openapi/operation-ids.js';
import { withOperationTexts } from './http/openapi/operation-texts.js';
import { withSchemaNames } from './http/openapi/schema-names.js';
import { withRateLimits } from './http/throttle/rate-limit.openapi.js';
import { PING_PATHS } from './modules/heartbeats/pings.openapi.js';
import { describeMonitorTypes } from './modules/monitors/definition/monitor-schemas.js';
import { describeChannelTypes } from './modules/notification-channels/channel-schemas.js';

const DESCRIPTION = `Daywatch checks your services on a schedule, stores every result, and reports the confirmed state and the
daily uptime of each monitor.

Authenticate with \`Authorization: Bearer <API key>\`. Create API keys in the web application under **Settings**, **API
keys**. Errors are \`application/problem+json\`. Timestamps are in UTC with millisecond precision, and the name of each
duration states its unit. In the paths of monitors, status pages, maintenance windows, notification channels,
notification policies and locations, \`{id}\` accepts the id or \`key:<key>\`.`;

/**
 * Returns the OpenAPI 3.1 document of everything that the application serves. None of its providers needs to exist, so it
 * can be created with `preview`.
 */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const base = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Daywatch API')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setLicense('MIT', 'https://spdx.org/licenses/MIT.html')
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'dw_…',
      description: 'An API key, created in the application or with `POST /v1/api-keys`',
    })
    .addTag('Monitors', 'What to check, how and how often, with the current state of each monitor.')
    .addTag('Operations', 'Bulk actions on monitors, with their progress and results.')
    .addTag('Checks', 'Results of individual checks, and response times over a period.')
    .addTag('Heartbeats', 'How jobs report to heartbeat monitors, and the keys with which they do.')
    .addTag('Uptime', 'Daily uptime, and the state transitions it is computed from.')
    .addTag('Locations', 'Where monitors are checked from, and the state of their workers.')
    .addTag('Incidents', 'Outages detected by checks, and incidents reported by your team.')
    .addTag('Reports', 'Uptime over a period, measured against a target.')
    .addTag('Exclusions', 'Periods excluded from uptime, each with its reason and author.')
    .addTag('Maintenance windows', 'Planned work, which does not count as downtime.')
    .addTag('Notification channels', 'Where notifications are sent, and whether that works.')
    .addTag('Notification policies', 'Who is notified of which events of which monitors, and when.')
    .addTag('Notifications', 'What was sent to whom, and what was not, with the reason.')
    .addTag('Silences', 'Periods during which no new alerts are sent, for known problems.')
    .addTag('Status pages', 'Pages that show the status of your services to your users.')
    .addTag('Subscribers', 'People who receive updates of a status page by email or webhook.')
    .addTag('Public pages', 'Published status pages, their feeds and their badges.')
    .addTag('Events', 'What happened, and who changed what.')
    .addTag('API keys', 'Credentials for programs that call this API.')
    .addTag('Health', 'Health checks and metrics, for operators.');
  // Lets the explorer call the origin it was opened from, which may differ from `PUBLIC_URL`.
  base.addServer('/');
  const document = SwaggerModule.createDocument(app, base.build(), { operationIdFactory: operationId });
  Object.assign(document.paths, PING_PATHS);
  const schemas = (document.components ??= {}).schemas as Record<string, Record<string, unknown>>;
  describeMonitorTypes(schemas);
  describeChannelTypes(schemas);
  documentIdempotency(document);
  // The order matters: the examples are assembled from the output of the steps before them.
  return [
    asOpenApi31,
    withOperationTexts,
    openAnswerEnums,
    withRateLimits,
    withOperationExamples,
    withSchemaNames,
  ].reduce((made, step) => step(made), document);
}
