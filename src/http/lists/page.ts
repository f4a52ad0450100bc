import { type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { type ServerResponse } from 'node:http';
import { map, type Observable } from 'rxjs';
import { type EdgeRequest, pathOf } from '../edge-request.js';
import { type OwnHosts } from '../own-hosts.js';
import { QueryInt } from './query.decorators.js';

export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 200;

/** The `limit` of a list, from 1 to `max`. Larger values count as `max`. Initialise the property with the default. */
export function PageLimit(max: number): PropertyDecorator {
  const description = `Maximum number of items per page. Values above ${max} are treated as ${max}.`;
  return QueryInt({ min: 1, max, default: DEFAULT_PAGE_SIZE, coerceToMax: true, description });
}

/** For lists with their own limit. Filters and sort in subclasses must have no initialisers: see `CursorCodec.open`. */
export class CursorQueryDto {
  @IsOptional()
  @IsString()
  @ApiPropertyOptional({ description: 'The `nextCursor` of the previous page.', example: 'eyJwIjoxfQ.c2lnbmVk' })
  cursor?: string;
}

export class PageQueryDto extends CursorQueryDto {
  @PageLimit(MAX_PAGE_SIZE)
  limit: number = DEFAULT_PAGE_SIZE;
}

/** A page of a list. If there is a next page, the response has `Link: <…>; rel="next"`. */
export class Page<T> {
  constructor(
    readonly data: T[],
    readonly nextCursor: string | null,
  ) {}
}

/**
 * Sets the `Link` header of pages. Its origin is `publicUrl`, else that of the request if it is one of this service.
 */
export class PageLinkInterceptor implements NestInterceptor {
  constructor(
    private readonly hosts: OwnHosts,
    private readonly publicUrl?: string,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    return next.handle().pipe(
      map((result: unknown) => {
        if (result instanceof Page && result.nextCursor !== null) {
          const link = this.nextLink(http.getRequest<EdgeRequest>(), result.nextCursor);
          http.getResponse<ServerResponse>().setHeader('Link', `<${link}>; rel="next"`);
        }
        return result;
      }),
    );
  }

  private nextLink(request: EdgeRequest, cursor: string): string {
    const [, query = ''] = request.originalUrl.split(/\?(.*)/s);
    const parameters = new URLSearchParams(query);
    parameters.set('cursor', cursor);
    const { pathname, search } = new URL(`${pathOf(request)}?${parameters.toString()}`, 'http://any.invalid');
    const origin = this.publicUrl ?? this.hosts.originOf(request);
    // A relative reference is a valid link, too.
    return origin === null ? pathname + search : new URL(pathname + search, origin).href;
  }
}
