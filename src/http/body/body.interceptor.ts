import { type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { type Reflector } from '@nestjs/core';
import { type Observable } from 'rxjs';
import { accessOf } from '../auth/access.decorators.js';
import { readJsonBody } from './body-reader.js';
import { Rounds } from './rounds.js';
import { type EdgeRequest } from '../edge-request.js';

const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Reads the JSON body after all guards, so that nothing is parsed for a caller who is rejected. Applies to routes with
 * an API key only: public routes need no body, and the web application reads its own forms (`readBytes`).
 */
export class BodyInterceptor implements NestInterceptor {
  private readonly rounds = new Rounds();

  constructor(
    private readonly reflector: Reflector,
    private readonly limitBytes: number,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<EdgeRequest>();
    const hasBody = WITH_BODY.has(request.method) && accessOf(this.reflector, context) === 'key';
    return hasBody ? this.read(request, next) : next.handle();
  }

  private async read(request: EdgeRequest, next: CallHandler): Promise<Observable<unknown>> {
    if (request.body !== undefined)
      throw new Error('The body was parsed too early: create the application with bodyParser: false');
    request.body = await readJsonBody(request, this.limitBytes);
    // Validating a hostile body may take 100 ms.
    await this.rounds.next();
    return next.handle();
  }
}
