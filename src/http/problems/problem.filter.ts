import { type ServerResponse } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import { isDatabaseAway } from '../../database/database-fault.js';
import { type EdgeRequest, loggedPathOf, pathReferenceOf } from '../edge-request.js';
import { codeOfStatus, PROBLEMS } from './problem-codes.js';
import { ProblemException, toProblem } from './problem.js';

const RETRY_AFTER_SECONDS = '5';

/** A page in place of a problem document; null where the request gets that. */
export type ErrorPage = (
  request: EdgeRequest,
  exception: ProblemException,
) => { html: string; headers: Readonly<Record<string, string>> } | null;

/** Answers every error as `application/problem+json`; a 5xx is logged and says nothing of its cause. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('http');

  /** `pageOf` gives the page that an error is answered with instead, for requests that want one. */
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
      // Half an answer is out: only a broken connection tells the caller.
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

/** Writes down a failure that is ours, by the problem that it is answered as. */
export function logFailure(logger: Logger, exception: ProblemException, error: unknown, request: EdgeRequest): void {
  if (exception.getStatus() < 500) return;
  const line = `${request.method} ${loggedPathOf(request)} ${exception.code} requestId=${request.requestId ?? ''}`;
  if (exception.code === 'database_unavailable') logger.warn(`${line}: ${String(error)}`);
  else logger.error(line, error instanceof Error ? error : new Error(String(error)));
}

/** Any thrown thing as a problem. Texts of others' exceptions are not shown: they may quote the request or internals. */
export function asProblemException(error: unknown): ProblemException {
  if (error instanceof ProblemException) return withRetryAfter(error as ProblemException);
  if (isDatabaseAway(error)) {
    const detail = 'The database cannot be reached or is busy; try again later.';
    return withRetryAfter(new ProblemException(503, 'database_unavailable', detail, { cause: error }));
  }
  const code = codeOfStatus(error instanceof HttpException ? error.getStatus() : 500);
  const detail = code === 'internal_error' ? 'Something failed on our side.' : `${PROBLEMS[code].title}.`;
  return withRetryAfter(new ProblemException(PROBLEMS[code].status, code, detail, { cause: error }));
}

function withRetryAfter(exception: ProblemException): ProblemException {
  if (exception.getStatus() === 503) exception.headers['Retry-After'] ??= RETRY_AFTER_SECONDS;
  return exception;
}
