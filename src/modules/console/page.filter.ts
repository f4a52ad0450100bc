import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable, Logger } from '@nestjs/common';
import { type Response } from 'express';
import { asProblemException, logFailure } from '../../http/problems/problem.filter.js';
import { SignInNeeded } from '../people/sign-in-needed.types.js';
import { NoticePages } from './notice-pages.service.js';
import { type PageRequest } from './page-frame.js';
import { PAGE_HEADERS } from './page.interceptor.js';

/**
 * Responds to every error of a page with a page that has the status and headers of the problem. If signing in is
 * required, redirects to the sign-in page.
 */
@Catch()
@Injectable()
export class PageFilter implements ExceptionFilter {
  private readonly logger = new Logger('console');

  constructor(private readonly notices: NoticePages) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<PageRequest>();
    const response = http.getResponse<Response>();
    response.set(PAGE_HEADERS);
    if (error instanceof SignInNeeded) {
      response.redirect(303, error.location);
      return;
    }
    const exception = asProblemException(error);
    logFailure(this.logger, exception, error, request);
    const { html, headers } = this.notices.of(request, exception);
    response.status(exception.getStatus()).set(headers).type('html').send(html);
  }
}
