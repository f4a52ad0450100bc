import { type OpenAPIObject } from '@nestjs/swagger';
import { mapOperations, type Node } from '../openapi/openapi-nodes.js';

const HEADERS = {
  'RateLimit-Policy': {
    description:
      'The limits of the API key: `q` requests in `w` seconds, `burst` of them at once. Absent where the service sets none.',
    schema: { type: 'string' as const },
    example: '"burst";q=100;w=10, "minute";q=600;w=60',
  },
  RateLimit: {
    description:
      'What is left: `r` more requests of the minute, all of them again after `t` seconds. With a 429, `r` is 0 and `t` ' +
      'the seconds until the next request is let in. Absent where the service sets no limits.',
    schema: { type: 'string' as const },
    example: '"minute";r=599;t=1',
  },
};

const REFERENCES = Object.fromEntries(
  Object.keys(HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

/** The document with the headers of the rate limit on every answer to a valid API key: a 401 says that there was none. */
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
