import { type CanActivate, type ExecutionContext } from '@nestjs/common';
import { type Reflector } from '@nestjs/core';
import { accessOf } from './access.decorators.js';
import { type EdgeRequest } from '../edge-request.js';
import { ProblemException } from '../problems/problem.js';
import { isSameOrigin } from './same-origin.js';

/**
 * Consults `inner` on `@Session()` routes only; without `inner`, these routes are closed. A request that changes
 * something must come from a page of this origin; otherwise the response is 403, whoever is signed in.
 */
export class SessionRoutesGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly publicUrl?: string,
    private readonly inner?: CanActivate,
  ) {}

  canActivate(context: ExecutionContext): ReturnType<CanActivate['canActivate']> {
    if (accessOf(this.reflector, context) !== 'session') return true;
    const request = context.switchToHttp().getRequest<EdgeRequest>();
    if (!['GET', 'HEAD'].includes(request.method)) this.assertSameOrigin(request);
    if (this.inner) return this.inner.canActivate(context);
    throw new ProblemException(401, 'unauthenticated', 'Sign in to the application.');
  }

  private assertSameOrigin(request: EdgeRequest): void {
    const own = [`${request.protocol}://${request.host ?? ''}`];
    if (this.publicUrl !== undefined) own.push(new URL(this.publicUrl).origin);
    if (isSameOrigin(request.headers, own)) return;
    const detail = 'The form was not sent by a browser from a page of this site. Nothing was changed.';
    throw new ProblemException(403, 'forbidden', detail);
  }
}
