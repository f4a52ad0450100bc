import { applyDecorators, Controller, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Session } from '../../http/auth/access.decorators.js';
import { PageFilter } from './page.filter.js';
import { PageInterceptor } from './page.interceptor.js';

/**
 * Declares a controller of the web application. Its handlers return a `PageAnswer`, and its errors become pages. People
 * must be signed in, unless `signedIn` is false, and have the role that the handler requires (`@RequireRole`).
 */
export const Pages = (path = '', access: { signedIn?: boolean } = {}) =>
  applyDecorators(
    Controller(path),
    ApiExcludeController(),
    Session(access),
    UseFilters(PageFilter),
    UseInterceptors(PageInterceptor),
  );
