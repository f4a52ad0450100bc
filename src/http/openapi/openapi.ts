import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiResponse, getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { type Problem, toProblem } from '../problems/problem.js';
import { type ProblemCode, PROBLEMS } from '../problems/problem-codes.js';
import { ProblemDto } from '../problems/problem.dto.js';

/** An operation of a finished document. */
export type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;

/** Problems that any route with an API key may return. */
const ALWAYS: readonly ProblemCode[] = [
  'unauthenticated',
  'invalid_token',
  'invalid_request',
  'insufficient_scope',
  'misdirected_request',
  'invalid_query',
  'rate_limited',
  'internal_error',
  'database_unavailable',
];

/** Further problems that any route with a JSON body may return, including POST routes without fields. */
export const BODY_PROBLEMS: readonly ProblemCode[] = [
  'unsupported_media_type',
  'payload_too_large',
  'invalid_json',
  'json_too_deep',
  'validation_failed',
];

const PROBLEM_TYPE = 'application/problem+json';
const REQUEST_ID = {
  'X-Request-Id': { description: 'The id of the request, also in the log.', schema: { type: 'string' as const } },
};
const HEADERS: Partial<Record<number, string>> = {
  400: 'WWW-Authenticate',
  401: 'WWW-Authenticate',
  403: 'WWW-Authenticate',
  405: 'Allow',
  429: 'Retry-After',
  503: 'Retry-After',
};

/**
 * Documents the problems of a route or a controller, in addition to those of any route with an API key: one response
 * per status, one example per code.
 */
export function ApiProblems(...codes: readonly ProblemCode[]): ClassDecorator & MethodDecorator {
  return describe([...ALWAYS, ...codes]);
}

/** Like `ApiProblems`, for public routes, which return only the given problems and those of any route. */
export function ApiPublicProblems(...codes: readonly ProblemCode[]): ClassDecorator & MethodDecorator {
  return describe([...codes, 'misdirected_request', 'internal_error']);
}

/** Documents problems caused by a decorator of the route, in addition to those of `ApiProblems`. */
export function ApiFurtherProblems(...codes: readonly ProblemCode[]): ClassDecorator & MethodDecorator {
  return describe(codes);
}

/** Response headers of a single item. */
export const ITEM_HEADERS = {
  ETag: {
    description:
      '`"<revision>.<state>"`: the revision increases when a caller changes the item; the state changes with anything else in the response.',
    schema: { type: 'string' as const },
    example: '"3.81985529216486"',
  },
};

/** Response headers of a page of a list. */
export const PAGE_HEADERS = {
  Link: { description: 'Link to the next page (`rel="next"`), if there is one.', schema: { type: 'string' as const } },
};

/** Response headers of a created item. */
export const CREATED_HEADERS = {
  ...ITEM_HEADERS,
  Location: { description: 'URL of the created resource.', schema: { type: 'string' as const } },
};

/** Response headers of a response that contains a secret. */
export const NO_STORE = { 'Cache-Control': { schema: { type: 'string' as const, enum: ['no-store'] } } };

/** Documents that a GET returns 304 to a caller that has the current version of the item. */
export function ApiConditionalGet(): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'An `ETag` from a response. Returns 304 if nothing in the response has changed since.',
      schema: { type: 'string', examples: ['"3.81985529216486"'] },
    }),
    ApiResponse({ status: 304, description: 'Not modified.', headers: ITEM_HEADERS }),
  );
}

function describe(codes: readonly ProblemCode[]): ClassDecorator & MethodDecorator {
  const statuses = [...new Set(codes.map((code) => PROBLEMS[code].status))].sort();
  const responses = statuses.map((status) =>
    response(
      status,
      [...new Set(codes)].filter((code) => PROBLEMS[code].status === status),
    ),
  );
  return applyDecorators(ApiExtraModels(ProblemDto), ...responses);
}

function response(status: number, codes: ProblemCode[]): ClassDecorator & MethodDecorator {
  return ApiResponse({ status, ...problemResponse(status, codes) });
}

function problemResponse(status: number, codes: ProblemCode[]) {
  const header = codes.includes('idempotency_in_flight') ? 'Retry-After' : HEADERS[status];
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
    headers: { ...REQUEST_ID, ...(header && { [header]: { schema: { type: 'string' as const } } }) },
    content: {
      [PROBLEM_TYPE]: {
        schema: { $ref: getSchemaPath(ProblemDto) },
        examples: Object.fromEntries(codes.map((code) => [code, { value: example(code) }])),
      },
    },
  };
}

/** Adds a problem to those of an operation. */
export function addProblem({ responses }: Operation, code: ProblemCode): void {
  const { status } = PROBLEMS[code];
  const present = responses[status] as ReturnType<typeof problemResponse> | undefined;
  const codes = Object.keys(present?.content[PROBLEM_TYPE]?.examples ?? {}) as ProblemCode[];
  responses[status] = problemResponse(status, [...codes, code]);
}

function example(code: ProblemCode): Problem {
  const request = { instance: '/v1/monitors', requestId: '0b9f6c1e-6d0a-4c55-9d0c-1f4f2c7f8a11' };
  return toProblem({ code, detail: `${PROBLEMS[code].title}.` }, request);
}
