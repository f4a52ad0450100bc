import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { accessOf, requiredScope } from './access.decorators.js';
import { challenge } from './bearer.guard.js';
import { type EdgeRequest } from '../edge-request.js';
import { grants } from './principal.js';
import { ProblemException } from '../problems/problem.js';

/** Global guard, after authentication and rate limit: responds with 403 unless the key has the scope of the route. */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (accessOf(this.reflector, context) !== 'key') return true;
    const needed = requiredScope(this.reflector, context);
    const { principal } = context.switchToHttp().getRequest<EdgeRequest>();
    if (principal && grants(principal.scopes, needed)) return true;
    throw new ProblemException(
      403,
      'insufficient_scope',
      `This operation requires an API key with the scope "${needed}".`,
      {
        headers: { 'WWW-Authenticate': challenge('insufficient_scope', needed) },
      },
    );
  }
}
