import { type CanActivate, type ExecutionContext } from '@nestjs/common';
import { type Reflector } from '@nestjs/core';
import { accessOf } from './access.decorators.js';
import { ProblemException } from './problem.js';

/** Asks `inner` on `@Session()` routes alone; without one they are closed, not open. */
export class SessionRoutesGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly inner?: CanActivate,
  ) {}

  canActivate(context: ExecutionContext): ReturnType<CanActivate['canActivate']> {
    if (accessOf(this.reflector, context) !== 'session') return true;
    if (this.inner) return this.inner.canActivate(context);
    throw new ProblemException(401, 'unauthenticated', 'Sign in to the application.');
  }
}
