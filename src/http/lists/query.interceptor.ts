import { type CallHandler, type ExecutionContext, type NestInterceptor, type Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA, RouteParamtypes } from '@nestjs/common/internal';
import { type Reflector } from '@nestjs/core';
import { type Observable } from 'rxjs';
import { accessOf } from '../auth/access.decorators.js';
import { type EdgeRequest } from '../edge-request.js';
import { validateQuery } from '../body/validation.js';

/** The query class of a route without `@Query()`: it has no parameters. */
class NoParameters {}

/**
 * Validates the query with the class of the route's `@Query()` parameter, which then receives the instance. An
 * interceptor rather than a pipe, because it must run before idempotency. A route with an API key but without such a
 * parameter accepts no query at all; public routes ignore unknown parameters.
 */
export class QueryInterceptor implements NestInterceptor {
  private readonly classes = new WeakMap<object, Type<object> | null>();

  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<EdgeRequest>();
    const cls = this.queryClass(context) ?? (accessOf(this.reflector, context) === 'key' ? NoParameters : null);
    // Express defines a getter on the prototype, which an own property overrides.
    if (cls) Object.defineProperty(request, 'query', { value: validateQuery(cls, request.query) });
    return next.handle();
  }

  private queryClass(context: ExecutionContext): Type<object> | null {
    const handler = context.getHandler();
    const known = this.classes.get(handler);
    if (known !== undefined) return known;
    const found = findQueryClass(context.getClass(), handler.name);
    this.classes.set(handler, found);
    return found;
  }
}

function findQueryClass(controller: Type<object>, method: string): Type<object> | null {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<
    string,
    { index: number }
  >;
  const types = Reflect.getMetadata('design:paramtypes', controller.prototype as object, method) as Type<object>[];
  const key = Object.keys(args).find((one) => one.startsWith(`${RouteParamtypes.QUERY}:`));
  const type = key === undefined ? undefined : types[args[key]?.index ?? -1];
  return type && type !== Object ? type : null;
}
