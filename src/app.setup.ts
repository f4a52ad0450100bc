import { type CanActivate, type INestApplication } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { hostname } from 'node:os';
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
import { NoticePages } from './modules/console/notice-pages.service.js';
import { MetricsService } from './modules/metrics/metrics.service.js';
import { SessionGuard } from './modules/people/session.guard.js';
import { describeMonitorTypes } from './modules/monitors/definition/monitor-schemas.js';

const DESCRIPTION = `Daywatch checks your services on schedule, keeps every result, and knows the confirmed state and the
uptime by day. Authenticate with \`Authorization: Bearer <API key>\`; keys are made in the application's Settings, section
"API Keys". Errors are \`application/problem+json\`. Times are UTC with milliseconds; durations carry their unit in the name.
Wherever a path has \`:id\`, it takes the id or \`key:<key>\`, the key that you chose.`;

/** What the service and its tests both apply: the conventions of the edge and the documentation. Before \`init\`. */
export function setUp(app: NestExpressApplication): void {
  const config = app.get(AppConfig);
  const { requests, stalls } = app.get(MetricsService);
  app.use(stalls.watch);
  if (requests) app.use(requests.watch);
  const notices = app.get(NoticePages, { strict: false });
  app.get(Drain).watch(app.getHttpServer());
  applyHttpConventions(app, {
    bodyLimitBytes: config.get('BODY_LIMIT_KB') * 1_024,
    publicUrl: config.get('PUBLIC_URL') ?? undefined,
    hosts: ownNames(config),
    trustProxy: config.get('TRUST_PROXY'),
    authFailuresPerMinute: config.get('AUTH_FAILURES_PER_MINUTE'),
    sessionGuard: app.get(SessionGuard, { strict: false }),
    errorPage: (request, problem) => notices.forBrowser(request, problem),
    afterAuthentication: rateLimit(app, config.get('RATE_LIMIT_PER_MINUTE')),
    interceptors: [app.get(IdempotencyInterceptor)],
  });
  // Made before the first request: it takes longer than any request may.
  const document = openApiDocument(app);
  const express = app.getHttpAdapter().getInstance();
  express.get('/docs/openapi.json', fixedText('application/json', JSON.stringify(document)));
  express.get('/docs/openapi.yaml', fixedText('text/yaml', dump(document, { skipInvalid: true, noRefs: true })));
  SwaggerModule.setup('docs', app, document, {
    raw: false,
    customSiteTitle: 'Daywatch API',
    // Extensions, for the lists of values that are open.
    swaggerOptions: {
      persistAuthorization: true,
      displayRequestDuration: true,
      tryItOutEnabled: true,
      showExtensions: true,
    },
  });
}

/** Where it listens at every address, the name of this machine leads to it as well. */
function ownNames(config: AppConfig): string[] {
  const host = config.get('HOST');
  const publicUrl = config.get('PUBLIC_URL');
  const listening = ['0.0.0.0', '::'].includes(host) ? hostname() : host;
  return [listening, ...(publicUrl === null ? [] : [new URL(publicUrl).host]), ...config.get('ALLOWED_HOSTS')];
}

function rateLimit(app: NestExpressApplication, perMinute: number): CanActivate[] {
  if (perMinute === 0) return [];
  return [new RateLimitGuard(new RateLimiter(new BucketStore(app.get(DataSource)), bucketOf(perMinute)))];
}

/** The OpenAPI 3.1 document of all that the application serves. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const base = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Daywatch')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setLicense('MIT', 'https://spdx.org/licenses/MIT.html')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'dw_…', description: 'An API key' })
    .addTag('Monitors', 'What is checked, how, and what is known of it.')
    .addTag('Checks', 'Single results.')
    .addTag('Uptime', 'Figures by day, and the evidence for them.')
    .addTag('Incidents', 'What went wrong, when and why.')
    .addTag('Reports', 'Figures of a period against a target.')
    .addTag('Exclusions', 'Time that does not count, by whom and why.')
    .addTag('Maintenance windows', 'When monitors are worked on.')
    .addTag('Status pages', 'What you show to others.')
    .addTag('Public pages', 'What everybody may see of a status page.')
    .addTag('API keys', 'Access for programs.')
    .addTag('Health', 'For operators.');
  const publicUrl = app.get(AppConfig).get('PUBLIC_URL');
  if (publicUrl !== null) base.addServer(publicUrl);
  // For the explorer, where it is opened under another address.
  base.addServer('/');
  const document = SwaggerModule.createDocument(app, base.build(), { operationIdFactory: operationId });
  describeMonitorTypes((document.components ??= {}).schemas as Record<string, Record<string, unknown>>);
  documentIdempotency(document);
  // Examples are put together from what the other steps have made.
  return [
    asOpenApi31,
    withOperationTexts,
    openAnswerEnums,
    withRateLimits,
    withOperationExamples,
    withSchemaNames,
  ].reduce((made, step) => step(made), document);
}
