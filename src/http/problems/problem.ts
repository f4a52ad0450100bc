import { HttpException } from '@nestjs/common';
import { type FieldErrorCode } from '../../domain/field-error-codes.js';
import { PROBLEMS, problemType, type ProblemCode } from './problem-codes.js';

/** One of several errors, with a `pointer` (RFC 6901) into the body or the query `parameter`. */
export interface FieldError {
  pointer?: string;
  parameter?: string;
  code: FieldErrorCode;
  detail: string;
}

/** The members of an `application/problem+json` response (RFC 9457). */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: ProblemCode;
  requestId: string;
  errors?: FieldError[];
}

export interface ProblemOptions {
  errors?: FieldError[];
  /** Further response headers, such as `Allow`, `Retry-After` or `WWW-Authenticate`. */
  headers?: Record<string, string>;
  /** Logged, never sent. */
  cause?: unknown;
}

/** Sent as a problem. `detail` is visible to the caller, so it must contain no internals and no secrets. */
export class ProblemException<C extends ProblemCode = ProblemCode> extends HttpException {
  readonly errors: FieldError[] | undefined;
  readonly headers: Record<string, string>;

  constructor(
    status: (typeof PROBLEMS)[C]['status'],
    readonly code: C,
    readonly detail: string,
    options: ProblemOptions = {},
  ) {
    super(detail, status, { cause: options.cause });
    this.errors = options.errors;
    this.headers = options.headers ?? {};
  }
}

/** Maximum number of errors in a response. */
export const MAX_FAULTS = 100;

/** Returns a 422 with all errors in the values of the body, cut after 100. */
export function validationFailed(errors: FieldError[]): ProblemException {
  const count = errors.length >= MAX_FAULTS ? `at least ${MAX_FAULTS}` : errors.length;
  const detail = errors.length === 1 ? 'The body has 1 error.' : `The body has ${count} errors.`;
  return new ProblemException(422, 'validation_failed', detail, { errors: errors.slice(0, MAX_FAULTS) });
}

/** Returns a 404 with the same text whether the resource is missing or belongs to another team. */
export function notFound(): ProblemException {
  return new ProblemException(404, 'not_found', 'There is no such resource.');
}

/** Completes a problem with the data of the request. */
export function toProblem(
  error: { code: ProblemCode; detail: string; errors?: FieldError[] },
  request: { instance: string; requestId: string; publicUrl?: string },
): Problem {
  const { status, title } = PROBLEMS[error.code];
  return {
    type: problemType(error.code, request.publicUrl),
    title,
    status,
    detail: error.detail,
    instance: request.instance,
    code: error.code,
    requestId: request.requestId,
    ...(error.errors && { errors: error.errors }),
  };
}
