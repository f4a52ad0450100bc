import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Response } from 'express';
import { map, type Observable } from 'rxjs';
import { Html, type PageAnswer } from './page-answer.js';
import { frameOf, type PageRequest } from './page-frame.js';
import { PageOrigin } from './page-origin.service.js';

/**
 * The headers of every page. Pages contain personal data, so they must not be cached. Forms must send their origin,
 * which the general policy (`no-referrer`) would hide.
 */
export const PAGE_HEADERS = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'same-origin' } as const;

/** Provides handlers with their `PageFrame`, and sends the `PageAnswer` that they return. */
@Injectable()
export class PageInterceptor implements NestInterceptor {
  constructor(private readonly origin: PageOrigin) {}

  intercept(context: ExecutionContext, next: CallHandler<PageAnswer>): Observable<string> {
    const http = context.switchToHttp();
    const request = http.getRequest<PageRequest>();
    request.frame = frameOf(request, this.origin.of(request), Date.now());
    return next.handle().pipe(map((answer) => sent(http.getResponse<Response>(), answer)));
  }
}

function sent(response: Response, answer: PageAnswer): string {
  response.set({ ...PAGE_HEADERS, ...answer.headers });
  response.type('html');
  if (answer instanceof Html) {
    response.status(answer.status);
    return answer.text;
  }
  response.status(303).location(answer.location);
  return '';
}
