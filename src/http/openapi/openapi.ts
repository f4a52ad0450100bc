import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiResponse, getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { type Problem, toProblem } from '../problems/problem.js';
import { type ProblemCode, PROBLEMS } from '../problems/problem-codes.js';
import { ProblemDto } from '../problems/problem.dto.js';

/** An operation of a finished document. */
export type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;

/** What any route under an API key may answer. */
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

/** What any route that reads a JSON body may answer too; a POST does, also where it takes no fields. */
export const BODY_PROBLEMS: readonly ProblemCode[] = [
  'unsupported_media_type',
  'payload_too_large',
  'invalid_json',
  'json_too_deep',
  'validation_failed',
];

const PROBLEM_TYPE = 'application/problem+json';
const REQUEST_ID = { 'X-Request-Id': { description: 'The id of the request.', schema: { type: 'string' as const } } };
const HEADERS: Partial<Record<number, string>> = {
  400: 'WWW-Authenticate',
  401: 'WWW-Authenticate',
  403: 'WWW-Authenticate',
  405: 'Allow',
  429: 'Retry-After',
  503: 'Retry-After',
};

/**
 * Documents the problems of a route or a controller, on top of those that any route under an API key may answer: one
 * response a status, one example a code.
 */
export function ApiProblems(...codes: readonly ProblemCode[]): ClassDecorator & MethodDecorator {
  return describe([...ALWAYS, ...codes]);
}

/** The same for public routes, which have only what is named here. */
export function ApiPublicProblems(...codes: readonly ProblemCode[]): ClassDecorator & MethodDecorator {
  return describe([...codes, 'misdirected_request', 'internal_error']);
}

/** Documents problems that a decorator of the route brings with it, on top of those of `ApiProblems`. */
export function ApiFurtherProblems(...codes: readonly ProblemCode[]): ClassDecorator & MethodDecorator {
  return describe(codes);
}

/** Response headers of one item. */
export const ITEM_HEADERS = {
  ETag: {
    description:
      '`"<revision>.<state>"`: the revision rises with what callers change, the state changes with anything else shown.',
    schema: { type: 'string' as const },
    example: '"3.81985529216486"',
  },
};

/** Response headers of a page of a list. */
export const PAGE_HEADERS = {
  Link: { description: '`rel="next"` where there is a next page.', schema: { type: 'string' as const } },
};

/** Response headers of an item that was made. */
export const CREATED_HEADERS = {
  ...ITEM_HEADERS,
  Location: { description: 'The address of what was made.', schema: { type: 'string' as const } },
};

/** Documents that a GET answers 304 to a caller who has the item already. */
export function ApiConditionalGet(): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'An `ETag` as answered: 304 where nothing that is shown has changed.',
      schema: { type: 'string', examples: ['"3.81985529216486"'] },
    }),
    ApiResponse({ status: 304, description: 'Nothing has changed.', headers: ITEM_HEADERS }),
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

/** Adds a problem to an operation, beside those that it has. */
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
