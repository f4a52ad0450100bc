import { type CanActivate, type INestApplication } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type RequestListener, type Server } from 'node:http';
import { DataSource } from 'typeorm';
import { dump } from 'js-yaml';
import { AppConfig } from './config/app-config.js';
import { applyHttpConventions } from './http/conventions.js';
import { IdempotencyInterceptor } from './http/idempotency/idempotency.interceptor.js';
import { documentIdempotency } from './http/idempotency/idempotency.openapi.js';
import { openAnswerEnums } from './http/openapi/open-enums.js';
import { Drain } from './http/drain.js';
import { fixedText } from './http/fixed-text.js';
import { operationId } from './http/openapi/operation-ids.js';
import { asOpenApi31 } from './http/openapi/openapi-31.js';
import { withOperationExamples } from './http/openapi/operation-examples.js';
import { withOperationTexts } from './http/openapi/operation-texts.js';
import { withSchemaNames } from './http/openapi/schema-names.js';
import { BucketStore } from './http/throttle/bucket-store.js';
import { RateLimitGuard } from './http/throttle/rate-limit.guard.js';
import { withRateLimits } from './http/throttle/rate-limit.openapi.js';
import { RateLimiter } from './http/throttle/rate-limiter.js';
import { bucketOf } from './http/throttle/token-bucket.js';
import { PingHandler } from './modules/heartbeats/ping.handler.js';
import { PING_PATHS } from './modules/heartbeats/pings.openapi.js';
import { NoticePages } from './modules/console/notice-pages.service.js';
import { MetricsService } from './modules/metrics/metrics.service.js';
import { SessionGuard } from './modules/people/session.guard.js';
import { CustomDomains } from './modules/status-pages/custom-domains.service.js';
import { describeMonitorTypes } from './modules/monitors/definition/monitor-schemas.js';
import { PingAddressInterceptor } from './modules/monitors/heartbeat/ping-address.interceptor.js';
import { describeChannelTypes } from './modules/notification-channels/channel-schemas.js';

const DESCRIPTION = `Daywatch checks your services on a schedule, stores every result, and reports the confirmed state and the
daily uptime of each monitor.

Authenticate with \`Authorization: Bearer <API key>\`. Create API keys in the web application under **Settings**, **API
keys**. Errors are \`application/problem+json\`. Timestamps are in UTC with millisecond precision, and the name of each
duration states its unit. In the paths of monitors, status pages and maintenance windows, \`{id}\` accepts the id or
\`key:<key>\`, where \`<key>\` is the key that you chose.`;

/** The description of the API, in each form that the service serves, as UTF-8. */
export interface ApiDocumentation {
  json: Buffer;
  yaml: Buffer;
}

/**
 * Applies what the service and its tests share: the HTTP conventions and the documentation. Call it before `init`. A
 * process with several applications can pass `documentation` of another one that has the same `PUBLIC_URL`.
 */
export function setUp(app: NestExpressApplication, documentation?: ApiDocumentation): void {
  const config = app.get(AppConfig);
  const { requests, stalls } = app.get(MetricsService);
  app.use(stalls.watch);
  if (requests) app.use(requests.watch);
  if (config.has('api')) answerFirst(app.getHttpServer(), app.get(PingHandler).handle);
  const notices = app.get(NoticePages, { strict: false });
  app.get(Drain).watch(app.getHttpServer());
  applyHttpConventions(app, {
    bodyLimitBytes: config.get('BODY_LIMIT_KB') * 1_024,
    publicUrl: config.get('PUBLIC_URL') ?? undefined,
    hosts: config.hostNames,
    sites: app.get(CustomDomains, { strict: false }),
    forOperatorsOnly: !config.has('api'),
    trustProxy: config.get('TRUST_PROXY'),
    authFailuresPerMinute: config.get('AUTH_FAILURES_PER_MINUTE'),
    sessionGuard: app.get(SessionGuard, { strict: false }),
    errorPage: (request, problem) => notices.forBrowser(request, problem),
    afterAuthentication: rateLimit(app, config.get('RATE_LIMIT_PER_MINUTE')),
    interceptors: [app.get(PingAddressInterceptor), app.get(IdempotencyInterceptor)],
  });
  if (!config.has('api')) return;
  // Built before the first request, because building it takes longer than a request may.
  const { json, yaml } = documentation ?? apiDocumentation(app);
  const express = app.getHttpAdapter().getInstance();
  express.get('/docs/openapi.json', fixedText('application/json', json));
  express.get('/docs/openapi.yaml', fixedText('text/yaml', yaml));
  // The explorer parses it when it is first opened: as objects, it takes several times as much memory.
  SwaggerModule.setup('docs', app, () => JSON.parse(json.toString()) as OpenAPIObject, {
    raw: false,
    customSiteTitle: 'Daywatch API',
    // Shows `x-extensible-enum`, the known values of lists that may grow.
    swaggerOptions: {
      persistAuthorization: true,
      displayRequestDuration: true,
      tryItOutEnabled: true,
      showExtensions: true,
    },
  });
}

/** Lets a handler answer requests without Express, which would cost more than a report of a job. */
function answerFirst(server: Server, handle: PingHandler['handle']): void {
  const [others] = server.listeners('request') as RequestListener[];
  server.off('request', others!);
  server.prependListener('request', (request, response) => {
    handle(request, response, () => others!(request, response));
  });
}

function rateLimit(app: NestExpressApplication, perMinute: number): CanActivate[] {
  if (perMinute === 0) return [];
  return [new RateLimitGuard(new RateLimiter(new BucketStore(app.get(DataSource)), bucketOf(perMinute)))];
}

/** Describes everything that the application serves. */
export function apiDocumentation(app: INestApplication): ApiDocumentation {
  const document = openApiDocument(app);
  const yaml = dump(document, { skipInvalid: true, noRefs: true });
  return { json: Buffer.from(JSON.stringify(document)), yaml: Buffer.from(yaml) };
}

/** Returns the OpenAPI 3.1 document of everything that the application serves. */
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
    .addTag('Checks', 'Results of individual checks.')
    .addTag('Heartbeats', 'How jobs report to heartbeat monitors, and the keys with which they do.')
    .addTag('Uptime', 'Daily uptime, and the state transitions it is computed from.')
    .addTag('Locations', 'Where monitors are checked from, and how the workers there are doing.')
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
  const publicUrl = app.get(AppConfig).get('PUBLIC_URL');
  if (publicUrl !== null) base.addServer(publicUrl);
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
