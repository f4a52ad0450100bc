import { type CallHandler, type CanActivate, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { type Observable } from 'rxjs';
import { type EdgeRequest } from '../edge-request.js';

const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Asks guards once more when a body has been read, before anything is done with it: its sender may take minutes over it,
 * and what let them in may be over by then (a revoked key, an ended session, a lower role).
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
