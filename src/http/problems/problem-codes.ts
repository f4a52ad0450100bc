/**
 * Every `code` of a problem response, with its status and title. Published: codes may only be added, and a code never
 * changes its status. The OpenAPI document lists them.
 */
export const PROBLEMS = {
  bad_request: { status: 400, title: 'Bad request' },
  invalid_request: { status: 400, title: 'Malformed request' },
  invalid_json: { status: 400, title: 'The body is not valid JSON' },
  json_too_deep: { status: 400, title: 'The body is nested too deeply' },
  invalid_query: { status: 400, title: 'Invalid query parameters' },
  invalid_cursor: { status: 400, title: 'Invalid cursor' },
  unauthenticated: { status: 401, title: 'Credentials required' },
  invalid_token: { status: 401, title: 'Invalid API key' },
  insufficient_scope: { status: 403, title: 'The API key lacks the required scope' },
  forbidden: { status: 403, title: 'Forbidden' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  not_acceptable: { status: 406, title: 'Not acceptable' },
  request_timeout: { status: 408, title: 'Request timeout' },
  conflict: { status: 409, title: 'Conflict' },
  key_taken: { status: 409, title: 'The key is taken' },
  slug_taken: { status: 409, title: 'The slug is taken' },
  domain_taken: { status: 409, title: 'The domain is taken' },
  key_expired: { status: 409, title: 'The API key has expired' },
  in_use: { status: 409, title: 'The resource is in use' },
  rotation_unsupported: { status: 409, title: 'There is no secret to rotate' },
  last_admin_key: { status: 409, title: 'The team must keep an admin key' },
  idempotency_in_flight: { status: 409, title: 'The first request is still running' },
  precondition_failed: { status: 412, title: 'Precondition failed' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  misdirected_request: { status: 421, title: 'The service is not configured for this host' },
  validation_failed: { status: 422, title: 'Invalid values in the body' },
  limit_reached: { status: 422, title: 'The team has reached a limit' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key was used for another request' },
  rate_limited: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'The request headers are too large' },
  internal_error: { status: 500, title: 'Internal error' },
  database_unavailable: { status: 503, title: 'The database is unavailable or busy' },
  unavailable: { status: 503, title: 'Unavailable' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;
export const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[];

/** The path that `type` refers to, on the service's own origin. */
export const PROBLEMS_PATH = '/docs/problems';

/**
 * Returns the problem type URI of a code: absolute if the public origin is known, else a path reference (RFC 9457
 * section 3.1.1), which resolves against the origin.
 */
export function problemType(code: ProblemCode, publicUrl = ''): string {
  return `${publicUrl}${PROBLEMS_PATH}#${code}`;
}

const BY_STATUS: Readonly<Record<number, ProblemCode>> = {
  400: 'bad_request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  408: 'request_timeout',
  409: 'conflict',
  412: 'precondition_failed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  421: 'misdirected_request',
  422: 'validation_failed',
  429: 'rate_limited',
  431: 'headers_too_large',
  503: 'unavailable',
};

/** Returns the general code for a status set by a library: `bad_request` for other 4xx, else `internal_error`. */
export function codeOfStatus(status: number): ProblemCode {
  return BY_STATUS[status] ?? (status >= 400 && status < 500 ? 'bad_request' : 'internal_error');
}
