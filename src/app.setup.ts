import { type CanActivate } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type RequestListener, type Server } from 'node:http';
import { DataSource } from 'typeorm';
import { AppConfig } from './config/app-config.js';
import { applyHttpConventions } from './http/conventions.js';
import { Drain } from './http/drain.js';
import { fixedText } from './http/fixed-text.js';
import { IdempotencyInterceptor } from './http/idempotency/idempotency.interceptor.js';
import { writtenDocument } from './http/openapi/written-document.js';
import { BucketStore } from './http/throttle/bucket-store.js';
import { RateLimitGuard } from './http/throttle/rate-limit.guard.js';
import { RateLimiter } from './http/throttle/rate-limiter.js';
import { bucketOf } from './http/throttle/token-bucket.js';
import { NoticePages } from './modules/console/notice-pages.service.js';
import { PingHandler } from './modules/heartbeats/ping.handler.js';
import { MetricsService } from './modules/metrics/metrics.service.js';
import { PingAddressInterceptor } from './modules/monitors/heartbeat/ping-address.interceptor.js';
import { SessionGuard } from './modules/people/session.guard.js';
import { CustomDomains } from './modules/status-pages/custom-domains.service.js';

/** Applies what the service and its tests share: the HTTP conventions and the documentation. Call it before `init`. */
export function setUp(app: NestExpressApplication): void {
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
  if (config.has('api')) serveDocumentation(app, config.get('PUBLIC_URL'));
}

/** Serves the OpenAPI document in each of its forms, and the explorer. */
function serveDocumentation(app: NestExpressApplication, publicUrl: string | null): void {
  const express = app.getHttpAdapter().getInstance();
  express.get(
    '/docs/openapi.json',
    fixedText('application/json', () => writtenDocument('json', publicUrl)),
  );
  express.get(
    '/docs/openapi.yaml',
    fixedText('text/yaml', () => writtenDocument('yaml', publicUrl)),
  );
  SwaggerModule.setup('docs', app, () => JSON.parse(writtenDocument('json', publicUrl)) as OpenAPIObject, {
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
