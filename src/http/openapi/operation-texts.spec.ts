import { expect, it } from '@jest/globals';
import { type OpenAPIObject } from '@nestjs/swagger';
import { withOperationTexts } from './operation-texts.js';

it.each([
  ['Lists things.', 'Lists things', ''],
  ['Lists things', 'Lists things', ''],
  ['Gets a thing by `key:<key>`. Or by `id`.', 'Gets a thing by key:<key>', 'Or by `id`.\n\n'],
  ['Makes a thing. The answer\nholds its secret. Once.', 'Makes a thing', 'The answer holds its secret. Once.\n\n'],
  ['Changes it (RFC 7396.1) by version 2.4.0.', 'Changes it (RFC 7396.1) by version 2.4.0', ''],
])('withOperationTexts splits %j into summary and description', (comment, summary, rest) => {
  const get = { summary: comment, security: [{ bearer: ['read'] }] };
  const post = { summary: comment, security: [] };
  const { paths } = withOperationTexts({ paths: { '/things': { get, post } } } as unknown as OpenAPIObject);
  expect(paths['/things']).toEqual({
    get: { ...get, summary, description: `${rest}Requires an API key with the scope \`read\`.` },
    post: { ...post, summary, description: `${rest}Requires no API key.` },
  });
});
