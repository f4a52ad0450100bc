import { type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { type ServerResponse } from 'node:http';
import { map, type Observable } from 'rxjs';
import { type EdgeRequest } from '../edge-request.js';
import { namesTag } from './entity-tags.js';
import { answerHeaders, bodyOf } from './representation.js';

/** Adds `ETag` and `Location` to responses that have them, and sends 304 if the caller has the current version. */
export class RepresentationInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    return next.handle().pipe(
      map((answer: unknown) => {
        const { method, headers } = http.getRequest<EdgeRequest>();
        const response = http.getResponse<ServerResponse>();
        const own = answerHeaders(context.getHandler(), response.statusCode, answer);
        for (const [name, value] of Object.entries(own)) response.setHeader(name, value);

        const known = headers['if-none-match'];
        const reads = method === 'GET' || method === 'HEAD';
        if (!reads || known === undefined || own.ETag === undefined || !namesTag(known, own.ETag))
          return bodyOf(answer);
        response.statusCode = 304;
        return undefined;
      }),
    );
  }
}
