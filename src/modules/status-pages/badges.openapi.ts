import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiParam, ApiQuery, ApiResponse } from '@nestjs/swagger';
import { ApiPublicProblems } from '../../http/openapi/openapi.js';
import { type Badge } from './badge.js';
import { renderBadge } from './html/badge.view.js';
import { ApiSlug } from './public-pages.openapi.js';

const text = (description: string) => ({ description, schema: { type: 'string' as const } });
const ETAG = { ETag: text('Changes with the image; absent if the page has a password.') };
const HEADERS = {
  ...ETAG,
  'Cache-Control': text('`public, max-age=60`; `private, no-store` if the page has a password.'),
};

/** Documents a badge, with `example` as its example. */
export function ApiBadge(example: Badge): MethodDecorator {
  return applyDecorators(
    ApiSlug(),
    ApiParam({
      name: 'componentId',
      description: 'The id of a component of the page, not of its monitor.',
      schema: { type: 'string', format: 'uuid', example: '0198c9a4-9a11-7b7e-8f35-5a0f3f3d7a21' },
    }),
    ApiQuery({
      name: 'label',
      required: false,
      description: 'The text on the left, truncated to 200 characters. Default: the name of the component.',
      schema: { type: 'string', example: 'API' },
    }),
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'An `ETag` from an earlier response: the response is 304 if the image has not changed.',
      schema: { type: 'string', examples: ['"wK0_zKaVLvq6ZeDoVEVSzv-9BWM"'] },
    }),
    ApiOkResponse({
      description: 'The image.',
      headers: HEADERS,
      content: { 'image/svg+xml': { schema: { type: 'string' }, example: renderBadge(example) } },
    }),
    ApiResponse({ status: 304, description: 'The image has not changed.', headers: ETAG }),
    ApiPublicProblems('not_found', 'unauthenticated', 'rate_limited', 'database_unavailable'),
  );
}
