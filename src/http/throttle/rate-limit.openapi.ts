import { type OpenAPIObject } from '@nestjs/swagger';
import { mapOperations, type Node } from '../openapi/openapi-nodes.js';

const HEADERS = {
  'RateLimit-Policy': {
    description:
      'The limits of the API key, `burst` and `minute`: `q` requests in `w` seconds each. Absent without rate limits.',
    schema: { type: 'string' as const },
    example: '"burst";q=100;w=10, "minute";q=600;w=60',
  },
  RateLimit: {
    description:
      'The remaining quota: `r` requests in the `minute` limit, which is full again after `t` seconds. With a 429, `r` is 0 and ' +
      '`t` is the number of seconds until the next request is accepted. Absent without rate limits.',
    schema: { type: 'string' as const },
    example: '"minute";r=599;t=1',
  },
};

const REFERENCES = Object.fromEntries(
  Object.keys(HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

/** Returns the document with the rate-limit headers on every response to a valid API key, which a 401 is not. */
export function withRateLimits(document: OpenAPIObject): OpenAPIObject {
  const { components = {} } = document;
  return mapOperations(
    { ...document, components: { ...components, headers: { ...components.headers, ...HEADERS } } },
    (operation) => {
      const { security = [], responses } = operation as { security?: object[]; responses: Record<string, Node> };
      if (security.length === 0) return operation;
      const told = Object.entries(responses).map(([status, response]) => [
        status,
        status === '401' ? response : { ...response, headers: { ...(response.headers as Node), ...REFERENCES } },
      ]);
      return { ...operation, responses: Object.fromEntries(told) as Node };
    },
  );
}
