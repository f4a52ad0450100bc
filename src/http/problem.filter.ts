import { type ServerResponse } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import { isDatabaseAway } from '../database/database-fault.js';
import { type EdgeRequest, pathOf, pathReferenceOf } from './edge-request.js';
import { codeOfStatus, PROBLEMS } from './problem-codes.js';
import { ProblemException, toProblem } from './problem.js';

const RETRY_AFTER_SECONDS = '5';

/** Answers every error as `application/problem+json`; a 5xx is logged and says nothing of its cause. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('http');

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<EdgeRequest>();
    const response = http.getResponse<ServerResponse>();
    const exception = asProblemException(error);
    this.log(exception, error, request);
    if (response.headersSent) {
      // Half an answer is out: only a broken connection tells the caller.
      response.destroy();
      return;
    }
    const instance = pathReferenceOf(request);
    const problem = toProblem(exception, { instance, requestId: request.requestId ?? '' });
    const body = Buffer.from(JSON.stringify(problem));
    response.statusCode = problem.status;
    for (const [name, value] of Object.entries(exception.headers)) response.setHeader(name, value);
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Content-Type', 'application/problem+json');
    response.setHeader('Content-Length', body.length);
    response.end(body);
  }

  private log(exception: ProblemException, error: unknown, request: EdgeRequest): void {
    if (exception.getStatus() < 500) return;
    const line = `${request.method} ${pathOf(request)} ${exception.code} requestId=${request.requestId ?? ''}`;
    if (exception.code === 'database_unavailable') this.logger.warn(`${line}: ${String(error)}`);
    else this.logger.error(line, error instanceof Error ? error : new Error(String(error)));
  }
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
