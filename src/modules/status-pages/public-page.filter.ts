import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import { type Response } from 'express';
import { type EdgeRequest } from '../../http/edge-request.js';
import { asProblemException, logFailure } from '../../http/problems/problem.filter.js';
import { renderNotice } from './html/notice.view.js';

/** Renders every error of an HTML page as an HTML page, with the status and headers of the problem. */
@Catch()
export class PublicPageFilter implements ExceptionFilter {
  private readonly logger = new Logger('status-page');

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<EdgeRequest>();
    const response = http.getResponse<Response>();
    const exception = asProblemException(error);
    const status = exception.getStatus();
    logFailure(this.logger, exception, error, request);
    const requestId = request.requestId ?? '';
    response.status(status).set({ ...exception.headers, 'Cache-Control': 'no-store' });
    response.type('html').send(renderNotice(status, requestId, exception.detail));
  }
}
