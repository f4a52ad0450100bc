import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiParam, ApiQuery, ApiResponse } from '@nestjs/swagger';
import { ApiPublicProblems } from '../../http/openapi.js';
import { type Badge } from './badge.js';
import { renderBadge } from './html/badge.view.js';
import { ApiSlug } from './public-pages.openapi.js';

const text = (description: string) => ({ description, schema: { type: 'string' as const } });
const ETAG = { ETag: text('Changes with the image; absent where the page has a password.') };
const HEADERS = {
  ...ETAG,
  'Cache-Control': text('`public, max-age=60`; `private, no-store` where the page has a password.'),
};

/** Documents a badge, with this one as the example. */
export function ApiBadge(example: Badge): MethodDecorator {
  return applyDecorators(
    ApiSlug(),
    ApiParam({
      name: 'componentId',
      description: 'The id of a component of the page, not of its monitor.',
      schema: { type: 'string', format: 'uuid' },
    }),
    ApiQuery({
      name: 'label',
      required: false,
      description: "The text on the left, at most 200 characters; the rest is cut. Default: the component's name.",
      schema: { type: 'string', examples: ['API'] },
    }),
    ApiHeader({ name: 'If-None-Match', required: false, description: 'An `ETag` as answered.' }),
    ApiOkResponse({
      description: 'The image.',
      headers: HEADERS,
      content: { 'image/svg+xml': { schema: { type: 'string' }, example: renderBadge(example) } },
    }),
    ApiResponse({ status: 304, description: 'The image has not changed.', headers: ETAG }),
    ApiPublicProblems('not_found', 'unauthenticated', 'rate_limited', 'database_unavailable'),
  );
}
