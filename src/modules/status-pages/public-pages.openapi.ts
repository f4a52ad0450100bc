import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiResponse } from '@nestjs/swagger';
import { PublicPageDto } from './dto/public-page.dto.js';

const HTML = {
  'text/html': {
    schema: { type: 'string' as const },
    example: '<!doctype html><html lang="en"><title>Example status</title>…',
  },
};
const HEADERS = {
  'Cache-Control': {
    description: '`public, max-age=10`; `private, no-store` where the page has a password.',
    schema: { type: 'string' as const },
  },
};

const ERRORS: readonly { status: number; description: string; header?: string }[] = [
  { status: 401, description: 'The page asks for its password.', header: 'WWW-Authenticate' },
  { status: 404, description: 'There is no such page, or it is not published.' },
  { status: 429, description: 'Too many wrong passwords.', header: 'Retry-After' },
  { status: 500, description: 'Something failed on our side.' },
  { status: 503, description: 'The database is unavailable or busy.', header: 'Retry-After' },
];

export const ApiSlug = () =>
  ApiParam({
    name: 'slug',
    description: 'The slug of a published page.',
    schema: { type: 'string', pattern: '^[a-z0-9-]{1,63}$', example: 'example' },
  });

export const ApiPublicPage = () => ApiOkResponse({ type: PublicPageDto, description: 'The page.', headers: HEADERS });

/** The page for people: its errors, too, are HTML. */
export const ApiHtmlPage = () =>
  applyDecorators(
    ApiOkResponse({ description: 'The page.', headers: HEADERS, content: HTML }),
    ...ERRORS.map(({ header, ...rest }) =>
      ApiResponse({
        ...rest,
        content: HTML,
        ...(header && { headers: { [header]: { schema: { type: 'string' as const } } } }),
      }),
    ),
  );
