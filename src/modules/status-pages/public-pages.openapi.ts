import { applyDecorators, type Type } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiParam, ApiResponse } from '@nestjs/swagger';
import { ApiFurtherProblems } from '../../http/openapi/openapi.js';
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
const CALENDAR = {
  'text/calendar': {
    schema: { type: 'string' as const },
    example: 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\n…',
  },
};
const text = (description: string) => ({ description, schema: { type: 'string' as const } });
const ETAG = {
  ETag: text('Changes with the body; absent if the page has a password, and while the database is unavailable.'),
};
const HEADERS = {
  ...ETAG,
  'Cache-Control': text(
    '`public, max-age=10`; `no-store` while the database is unavailable; `private, no-store` with a password.',
  ),
  Age: {
    description: 'Seconds since the figures were computed.',
    schema: { type: 'integer' as const, minimum: 0 },
  },
  Vary: text('`Accept-Encoding`: bodies are compressed with `br` or `gzip` if the caller accepts them.'),
};

/** Documents what all forms of a page have in common. */
const ApiPageForm = () =>
  applyDecorators(
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'An `ETag` from an earlier response: the response is 304 if the body has not changed.',
      schema: { type: 'string', examples: ['"kZ3vXo1yTq8mB5rA2cD9eF-br"'] },
    }),
    ApiResponse({ status: 304, description: 'The body has not changed.', headers: ETAG }),
  );

const ERRORS: readonly { status: number; description: string; header?: string }[] = [
  { status: 401, description: 'The page requires a password.', header: 'WWW-Authenticate' },
  { status: 404, description: 'The page does not exist or is not published.' },
  { status: 429, description: 'Too many wrong passwords.', header: 'Retry-After' },
  { status: 500, description: 'Internal error.' },
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

/** Documents a form of a page that is JSON of this type. */
export const ApiJsonForm = (type: Type) =>
  applyDecorators(ApiPageForm(), ApiOkResponse({ type, description: 'The page.', headers: HEADERS }));

export const ApiPublicPage = () => ApiJsonForm(PublicPageDto);

export const ApiFeed = () =>
  applyDecorators(ApiPageForm(), ApiOkResponse({ description: 'The feed.', headers: HEADERS, content: FEED }));

export const ApiCalendar = () =>
  applyDecorators(ApiPageForm(), ApiOkResponse({ description: 'The calendar.', headers: HEADERS, content: CALENDAR }));

/** Documents the HTML page, whose errors are HTML as well, except for requests that are not for this service. */
export const ApiHtmlPage = () =>
  applyDecorators(
    ApiPageForm(),
    ApiOkResponse({ description: 'The page.', headers: HEADERS, content: HTML }),
    ApiFurtherProblems('misdirected_request'),
    ...ERRORS.map(({ header, ...rest }) =>
      ApiResponse({
        ...rest,
        content: HTML,
        ...(header && { headers: { [header]: { schema: { type: 'string' as const } } } }),
      }),
    ),
  );
