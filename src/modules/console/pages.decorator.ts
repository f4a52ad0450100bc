import { applyDecorators, Controller, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Session } from '../../http/auth/access.decorators.js';
import { PageFilter } from './page.filter.js';
import { PageInterceptor } from './page.interceptor.js';

/**
 * A controller of the web application: handlers return a `PageAnswer`, errors become pages, people must be signed in
 * (but where `signedIn` is false) and have the role that each handler names (`@RequireRole`).
 */
export const Pages = (path = '', access: { signedIn?: boolean } = {}) =>
  applyDecorators(
    Controller(path),
    ApiExcludeController(),
    Session(access),
    UseFilters(PageFilter),
    UseInterceptors(PageInterceptor),
  );
