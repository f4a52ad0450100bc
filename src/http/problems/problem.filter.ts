import { type ServerResponse } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import { isDatabaseAway } from '../../database/database-fault.js';
import { type EdgeRequest, loggedPathOf, pathReferenceOf } from '../edge-request.js';
import { codeOfStatus, PROBLEMS } from './problem-codes.js';
import { ProblemException, toProblem } from './problem.js';

const RETRY_AFTER_SECONDS = '5';

/** Returns an error page to send instead of a problem document; null if the request gets the document. */
export type ErrorPage = (
  request: EdgeRequest,
  exception: ProblemException,
) => { html: string; headers: Readonly<Record<string, string>> } | null;

/** Sends every error as `application/problem+json`. A 5xx is logged and reveals nothing about its cause. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('http');

  /** `pageOf` returns the page to send instead, for requests that accept pages. */
  constructor(
    private readonly publicUrl?: string,
    private readonly pageOf: ErrorPage = () => null,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<EdgeRequest>();
    const response = http.getResponse<ServerResponse>();
    const exception = asProblemException(error);
    logFailure(this.logger, exception, error, request);
    if (response.headersSent) {
      // Part of the response has been sent, so only closing the connection signals the error.
      response.destroy();
      return;
    }
    const page = this.pageOf(request, exception);
    const body = Buffer.from(page?.html ?? problemText(request, exception, this.publicUrl));
    response.statusCode = exception.getStatus();
    const headers = { ...exception.headers, 'Cache-Control': 'no-store', ...page?.headers };
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.setHeader('Content-Type', page ? 'text/html; charset=utf-8' : 'application/problem+json');
    response.setHeader('Content-Length', body.length);
    response.end(body);
  }
}

function problemText(request: EdgeRequest, exception: ProblemException, publicUrl?: string): string {
  const instance = pathReferenceOf(request);
  return JSON.stringify(toProblem(exception, { instance, requestId: request.requestId ?? '', publicUrl }));
}

/** Logs a failure on the server's side, with the problem that is returned for it. */
export function logFailure(logger: Logger, exception: ProblemException, error: unknown, request: EdgeRequest): void {
  if (exception.getStatus() < 500) return;
  const line = `${request.method} ${loggedPathOf(request)} ${exception.code} requestId=${request.requestId ?? ''}`;
  if (exception.code === 'database_unavailable') logger.warn(`${line}: ${String(error)}`);
  else logger.error(line, error instanceof Error ? error : new Error(String(error)));
}

/** Converts anything thrown to a problem. Foreign messages are hidden: they may quote the request or internals. */
export function asProblemException(error: unknown): ProblemException {
  if (error instanceof ProblemException) return withRetryAfter(error as ProblemException);
  if (isDatabaseAway(error)) {
    const detail = 'The database is unavailable or busy. Try again later.';
    return withRetryAfter(new ProblemException(503, 'database_unavailable', detail, { cause: error }));
  }
  const code = codeOfStatus(error instanceof HttpException ? error.getStatus() : 500);
  const detail = code === 'internal_error' ? 'An internal error occurred.' : `${PROBLEMS[code].title}.`;
  return withRetryAfter(new ProblemException(PROBLEMS[code].status, code, detail, { cause: error }));
}

function withRetryAfter(exception: ProblemException): ProblemException {
  if (exception.getStatus() === 503) exception.headers['Retry-After'] ??= RETRY_AFTER_SECONDS;
  return exception;
}
