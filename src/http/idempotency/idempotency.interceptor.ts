import { type ServerResponse } from 'node:http';
import { type CallHandler, type ExecutionContext, Injectable, Logger, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { SecretBox } from '../../database/secret-box.js';
import { accessOf } from '../auth/access.decorators.js';
import { type EdgeRequest, pathOf } from '../edge-request.js';
import { type Principal } from '../auth/principal.js';
import { ClaimedAnswer } from './claimed-answer.js';
import { fingerprintOf, readIdempotencyKey } from './idempotency-key.js';
import { type Claim, IdempotencyService, type KeptAnswer } from './idempotency.service.js';

/**
 * Runs a POST with an API key once per `Idempotency-Key` of a team, and answers repetitions with the response of the
 * first request. Only successful responses (2xx) are stored; after any other response, the next request with the key
 * runs. Other methods, and routes without an API key, ignore the header.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  private readonly logger = new Logger('idempotency');
  private readonly secret: Buffer;

  constructor(
    private readonly reflector: Reflector,
    private readonly store: IdempotencyService,
    box: SecretBox,
  ) {
    this.secret = box.keyFor('idempotency');
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<EdgeRequest>();
    const { principal } = request;
    if (request.method !== 'POST' || !principal || accessOf(this.reflector, context) !== 'key') return next.handle();
    return this.once(context, request, principal, next);
  }

  private async once(
    context: ExecutionContext,
    request: EdgeRequest,
    principal: Principal,
    next: CallHandler,
  ): Promise<Observable<unknown>> {
    const key = readIdempotencyKey(request.headersDistinct['idempotency-key']);
    if (key === null) return next.handle();

    const fingerprint = fingerprintOf(this.secret, request, principal.keyId);
    const { claim, kept } = await this.store.claim(principal.teamId, key, fingerprint);
    const response = context.switchToHttp().getResponse<ServerResponse>();
    if (kept) return of(replay(response, kept));
    const answer = new ClaimedAnswer(this.store, claim, context.getHandler(), response);
    request.keep = answer;
    return of(await this.run(request, claim, answer, next));
  }

  private async run(request: EdgeRequest, claim: Claim, answer: ClaimedAnswer, next: CallHandler): Promise<unknown> {
    let body: unknown;
    try {
      body = await lastValueFrom(next.handle(), { defaultValue: undefined });
    } catch (error) {
      await this.attempt(request, () => this.store.release(claim));
      throw error;
    }
    await this.attempt(request, () => answer.end(body));
    return body;
  }

  /** The request has ended and its outcome stands. A claim that is not released lapses. */
  private async attempt(request: EdgeRequest, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const requestId = request.requestId ?? '';
      this.logger.warn(
        `${pathOf(request)}: cannot update an idempotency claim, which will lapse, requestId=${requestId}: ${String(error)}`,
      );
    }
  }
}

function replay(response: ServerResponse, { statusCode, headers, body }: KeptAnswer): unknown {
  response.statusCode = statusCode;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Idempotent-Replayed', 'true');
  return body;
}
