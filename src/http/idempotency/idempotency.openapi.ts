import { type OpenAPIObject } from '@nestjs/swagger';
import { addProblem } from '../openapi/openapi.js';

const PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header' as const,
  required: false,
  description:
    'Makes a retry safe: within 24 hours, the same request with the same key is answered as the first one that ' +
    'succeeded, and has no second effect. Use a new key, such as a UUID, for each new intent.',
  schema: { type: 'string' as const, minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
  example: '5f3c1b0e-8f0a-4b1d-9d63-0c9f6b7a2e41',
};

const REPLAYED = {
  description: '`true` where this is the answer to an earlier request with the same `Idempotency-Key`.',
  schema: { type: 'string' as const, enum: ['true'] },
};

/** Documents, on every POST under an API key, the `Idempotency-Key` and what may be answered because of it. */
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
