import { type OpenAPIObject } from '@nestjs/swagger';
import { addProblem } from '../openapi/openapi.js';

const PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header' as const,
  required: false,
  description:
    'Makes a retry safe: for 24 hours, repeating the request with the same key returns the response of the first ' +
    'successful request and has no further effect. Use a new key, such as a UUID, for each new operation.',
  schema: { type: 'string' as const, minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
  example: '5f3c1b0e-8f0a-4b1d-9d63-0c9f6b7a2e41',
};

const REPLAYED = {
  description: '`true` if this is the response to an earlier request with the same `Idempotency-Key`.',
  schema: { type: 'string' as const, enum: ['true'] },
};

/** Documents the `Idempotency-Key` header and the responses it may cause on every POST with an API key. */
export function documentIdempotency(document: OpenAPIObject): void {
  const components = (document.components ??= {});
  components.parameters = { ...components.parameters, IdempotencyKey: PARAMETER };
  components.headers = { ...components.headers, IdempotentReplayed: REPLAYED };
  for (const { post } of Object.values(document.paths)) {
    if (!post?.security?.some((one) => 'bearer' in one)) continue;
    post.parameters = [...(post.parameters ?? []), { $ref: '#/components/parameters/IdempotencyKey' }];
    for (const [status, response] of Object.entries(post.responses)) {
      if (!status.startsWith('2') || !response || '$ref' in response) continue;
      response.headers = {
        ...response.headers,
        'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' },
      };
    }
    addProblem(post, 'idempotency_in_flight');
    addProblem(post, 'idempotency_key_reused');
  }
}
