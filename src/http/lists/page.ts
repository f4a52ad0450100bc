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

/** `limit` of a list: 1 to `max`, larger counts as `max`; initialise the property with the default. */
export function PageLimit(max: number): PropertyDecorator {
  const description = `Rows of a page; more than ${max} counts as ${max}.`;
  return QueryInt({ min: 1, max, default: DEFAULT_PAGE_SIZE, coerceToMax: true, description });
}

/** For lists with a limit of their own. Filters and sort in subclasses have no initialisers: see `CursorCodec.open`. */
export class CursorQueryDto {
  @IsOptional()
  @IsString()
  @ApiPropertyOptional({ description: 'The `nextCursor` of the page before.', example: 'eyJwIjoxfQ.c2lnbmVk' })
  cursor?: string;
}

export class PageQueryDto extends CursorQueryDto {
  @PageLimit(MAX_PAGE_SIZE)
  limit: number = DEFAULT_PAGE_SIZE;
}

/** One page of a list. Returned by a controller, it is answered with `Link: <…>; rel="next"` where there is more. */
export class Page<T> {
  constructor(
    readonly data: T[],
    readonly nextCursor: string | null,
  ) {}
}

/** Sets the `Link` header of pages. `publicUrl` is the origin to name, else that of the request where it is ours. */
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
    const origin = this.publicUrl ?? this.originOf(request);
    // A relative reference is a valid link, too.
    return URL.canParse(origin) ? new URL(pathname + search, origin).href : pathname + search;
  }

  private originOf({ protocol, host = '' }: EdgeRequest): string {
    return this.hosts.includes(host) ? `${protocol}://${host}` : '';
  }
}
