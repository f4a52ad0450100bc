import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiParam, ApiResponse } from '@nestjs/swagger';
import { PublicPageDto } from './dto/public-page.dto.js';
import { SLUG } from './slug.js';

const HTML = {
  'text/html': {
    schema: { type: 'string' as const },
    example: '<!doctype html><html lang="en"><title>Example status</title>…',
  },
};
const FEED = {
  'application/atom+xml': {
    schema: { type: 'string' as const },
    example: '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">…',
  },
};
const text = (description: string) => ({ description, schema: { type: 'string' as const } });
const ETAG = { ETag: text('Changes with the body; absent where the page has a password, or the database is away.') };
const HEADERS = {
  ...ETAG,
  'Cache-Control': text(
    '`public, max-age=10`; `no-store` while the database is away, `private, no-store` where the page has a password.',
  ),
  Age: {
    description: 'How many seconds ago the figures were computed.',
    schema: { type: 'integer' as const, minimum: 0 },
  },
  Vary: text('`Accept-Encoding`: bodies are compressed by `br` or `gzip` for who takes them.'),
};

/** What all forms of a page have in common. */
const ApiPageForm = () =>
  applyDecorators(
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'An `ETag` as answered: 304 where the body has not changed.',
      schema: { type: 'string', examples: ['"kZ3vXo1yTq8mB5rA2cD9eF-br"'] },
    }),
    ApiResponse({ status: 304, description: 'The body has not changed.', headers: ETAG }),
  );

const ERRORS: readonly { status: number; description: string; header?: string }[] = [
  { status: 401, description: 'The page asks for its password.', header: 'WWW-Authenticate' },
  { status: 404, description: 'There is no such page, or it is not published.' },
  { status: 429, description: 'Too many wrong passwords.', header: 'Retry-After' },
  { status: 500, description: 'Something failed on our side.' },
  {
    status: 503,
    description: 'The database is unavailable or busy, and there is no copy to show.',
    header: 'Retry-After',
  },
];

export const ApiSlug = () =>
  ApiParam({
    name: 'slug',
    description: 'The slug of a published page.',
    schema: { type: 'string', pattern: SLUG.source, example: 'example' },
  });

export const ApiPublicPage = () =>
  applyDecorators(ApiPageForm(), ApiOkResponse({ type: PublicPageDto, description: 'The page.', headers: HEADERS }));

export const ApiFeed = () =>
  applyDecorators(ApiPageForm(), ApiOkResponse({ description: 'The feed.', headers: HEADERS, content: FEED }));

/** The page for people: its errors, too, are HTML. */
export const ApiHtmlPage = () =>
  applyDecorators(
    ApiPageForm(),
    ApiOkResponse({ description: 'The page.', headers: HEADERS, content: HTML }),
    ...ERRORS.map(({ header, ...rest }) =>
      ApiResponse({
        ...rest,
        content: HTML,
        ...(header && { headers: { [header]: { schema: { type: 'string' as const } } } }),
      }),
    ),
  );
