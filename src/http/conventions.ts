import { type CanActivate, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { actingRequest } from './auth/actor.js';
import { accessLog } from './access-log.middleware.js';
import { BearerGuard } from './auth/bearer.guard.js';
import { BodyInterceptor } from './body/body.interceptor.js';
import { BodyPipe } from './body/body.pipe.js';
import { ChainedInterceptor } from './chained.interceptor.js';
import { FormTokenInterceptor } from './body/form-token.interceptor.js';
import { FormInterceptor } from './body/form.interceptor.js';
import { answerClientErrors } from './problems/client-error.js';
import { compressed } from './compressed.middleware.js';
import { useOriginForm } from './origin-form.js';
import { answerFor, forOperatorsOnly, OwnHosts, type Sites } from './own-hosts.js';
import { PageLinkInterceptor } from './lists/page.js';
import { KeyVerifier } from './auth/principal.js';
import { type ErrorPage, ProblemFilter } from './problems/problem.filter.js';
import { PROBLEMS_PATH } from './problems/problem-codes.js';
import { problemsPage } from './problems/problems.page.js';
import { QueryInterceptor } from './lists/query.interceptor.js';
import { FailureLimitGuard } from './throttle/failure-limit.guard.js';
import { requestId } from './request-id.middleware.js';
import { RepresentationInterceptor } from './items/representation.interceptor.js';
import { type RouterHost, routeTable } from './route-table.middleware.js';
import { ScopeGuard } from './auth/scope.guard.js';
import { securityHeaders } from './security-headers.js';
import { SessionRoutesGuard } from './auth/session.guard.js';
import { StillAdmittedInterceptor } from './auth/still-admitted.interceptor.js';

/** Options for `NestFactory.create`: bodies are read after authentication, not by Nest. */
export const APPLICATION_OPTIONS = { bodyParser: false } as const;

export interface ConventionsOptions {
  /** Maximum size of a JSON body in bytes, 256 KiB by default. */
  bodyLimitBytes?: number;
  /** The origin to use in links, if it differs from that of the request. */
  publicUrl?: string;
  /** The host names that the service answers to; any if omitted. */
  hosts?: readonly string[];
  /** Finds the sites that are served under other names. */
  sites?: Sites;
  /** Whether only health and metrics are served. */
  forOperatorsOnly?: boolean;
  /** Express's `trust proxy` setting. */
  trustProxy?: boolean | number | string | string[];
  /** Requests without a valid key allowed per address and minute; 0, the default, disables the limit. */
  authFailuresPerMinute?: number;
  /** Protects `@Session()` routes. Without it they respond with 401. */
  sessionGuard?: CanActivate;
  /** Renders errors as pages for browsers outside the API. Without it, all errors are problem documents. */
  errorPage?: ErrorPage;
  /** Guards that run after authentication and before scopes: the rate limit. */
  afterAuthentication?: CanActivate[];
  /** Interceptors that run once body and query have been read: idempotency. */
  interceptors?: NestInterceptor[];
}

interface Express extends RouterHost {
  get(path: string, handler: (request: IncomingMessage, response: ServerResponse) => void): void;
}

/** Longer than proxies keep idle connections: closing one first could lose a request that is already on its way. */
const IDLE_TIMEOUTS = { keepAliveTimeout: 65_000, headersTimeout: 66_000 };

/**
 * Applies the conventions of the API to an application (errors, request id, authentication, bodies, queries, pages), in
 * the order in which errors are reported: route, method, credentials, rate, scope, media type, size, JSON, query. The
 * application must provide a `KeyVerifier` and be created with `APPLICATION_OPTIONS`. Call it once, before `init`.
 * Register guards, interceptors and pipes only here: those registered with `APP_GUARD` and the like would run first.
 */
export function applyHttpConventions(app: NestExpressApplication, options: ConventionsOptions = {}): void {
  const reflector = app.get(Reflector);
  const express = app.getHttpAdapter().getInstance() as unknown as Express;
  const hosts = new OwnHosts(options.hosts ?? ['*']);
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', options.trustProxy ?? false);
  answerClientErrors(app.getHttpServer(), options.publicUrl);
  useOriginForm(app.getHttpServer());
  Object.assign(app.getHttpServer(), IDLE_TIMEOUTS);

  app.use(requestId);
  app.use(actingRequest);
  app.use(accessLog());
  app.use(securityHeaders(options.publicUrl));
  app.use(compressed());
  if (options.forOperatorsOnly) app.use(forOperatorsOnly);
  app.use(answerFor(hosts, options.sites));
  app.use(routeTable(express));
  express.get(PROBLEMS_PATH, (_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(problemsPage());
  });

  const bearer = new BearerGuard(reflector, app.get(KeyVerifier, { strict: false }));
  const session = new SessionRoutesGuard(reflector, options.publicUrl, options.sessionGuard);
  const scope = new ScopeGuard(reflector);
  const failures = options.authFailuresPerMinute ?? 0;
  app.useGlobalFilters(new ProblemFilter(options.publicUrl, options.errorPage));
  app.useGlobalGuards(
    failures > 0 ? new FailureLimitGuard(bearer, failures) : bearer,
    session,
    ...(options.afterAuthentication ?? []),
    scope,
  );
  app.useGlobalInterceptors(
    new ChainedInterceptor([
      new BodyInterceptor(reflector, options.bodyLimitBytes ?? 256 * 1024),
      new FormInterceptor(reflector),
      new StillAdmittedInterceptor([bearer, session, scope]),
      new FormTokenInterceptor(),
      new QueryInterceptor(reflector),
      ...(options.interceptors ?? []),
      new RepresentationInterceptor(),
      new PageLinkInterceptor(hosts, options.publicUrl),
    ]),
  );
  app.useGlobalPipes(new BodyPipe());
}
