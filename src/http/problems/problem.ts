import { HttpException } from '@nestjs/common';
import { type FieldErrorCode } from '../../domain/field-error-codes.js';
import { PROBLEMS, problemType, type ProblemCode } from './problem-codes.js';

/** One fault among several: `pointer` (RFC 6901) into the body, or `parameter` of the query. */
export interface FieldError {
  pointer?: string;
  parameter?: string;
  code: FieldErrorCode;
  detail: string;
}

/** The members of an `application/problem+json` answer (RFC 9457). */
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
  /** Logged, never shown. */
  cause?: unknown;
}

/** Answered as a problem. `detail` is shown to the caller: it must hold nothing internal and no secret. */
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

/** As many faults as an answer tells. */
export const MAX_FAULTS = 100;

/** 422: what is wrong with the values of the body, all at once; beyond 100 faults the rest is cut. */
export function validationFailed(errors: FieldError[]): ProblemException {
  const count = errors.length >= MAX_FAULTS ? `at least ${MAX_FAULTS}` : errors.length;
  const detail = errors.length === 1 ? 'The body has one invalid value.' : `The body has ${count} faults.`;
  return new ProblemException(422, 'validation_failed', detail, { errors: errors.slice(0, MAX_FAULTS) });
}

/** 404 with one and the same text, whether the resource is missing or belongs to another team. */
export function notFound(): ProblemException {
  return new ProblemException(404, 'not_found', 'There is no such resource.');
}

/** Completes a problem with what the request says. */
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
