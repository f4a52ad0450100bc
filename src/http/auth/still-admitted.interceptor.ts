import { type CallHandler, type CanActivate, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { type Observable } from 'rxjs';
import { type EdgeRequest } from '../edge-request.js';

const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Consults guards again after a body has been read, before it is used. Sending a body may take minutes, in which the
 * right to do so may have ended (a revoked key, an ended session, a lower role).
 */
export class StillAdmittedInterceptor implements NestInterceptor {
  constructor(private readonly guards: readonly CanActivate[]) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    const hasBody = WITH_BODY.has(context.switchToHttp().getRequest<EdgeRequest>().method);
    return hasBody ? this.ask(context, next) : next.handle();
  }

  private async ask(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    for (const guard of this.guards) await guard.canActivate(context);
    return next.handle();
  }
}
