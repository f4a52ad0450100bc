import { type ServerResponse } from 'node:http';
import { type CanActivate, type ExecutionContext } from '@nestjs/common';
import { invalidToken } from '../auth/bearer.guard.js';
import { type EdgeRequest } from '../edge-request.js';
import { ProblemException } from '../problems/problem.js';
import { type RateLimiter } from './rate-limiter.js';
import { type Admission, rateLimitHeaders, retryAfterSeconds } from './token-bucket.js';

const FOREIGN_KEY_VIOLATION = '23503';

/**
 * Runs after authentication. Each request with an API key takes a token from the key's bucket, and gets 429 if there is
 * none. Every response to a valid key reports the remaining quota. Without a database, its error propagates.
 */
export class RateLimitGuard implements CanActivate {
  constructor(private readonly limiter: RateLimiter) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const { principal } = http.getRequest<EdgeRequest>();
    if (!principal) return true;
    const admission = await this.admit(principal.keyId);
    const response = http.getResponse<ServerResponse>();
    const headers = rateLimitHeaders(this.limiter.bucket, admission);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (admission.admitted) return true;
    const seconds = retryAfterSeconds(admission.waitMs);
    throw new ProblemException(429, 'rate_limited', `Too many requests with this API key. Try again in ${seconds} s.`, {
      headers: { 'Retry-After': String(seconds) },
    });
  }

  private async admit(keyId: string): Promise<Admission> {
    try {
      return await this.limiter.admit(keyId);
    } catch (error) {
      const { driverError } = error as { driverError?: { code?: string } };
      // A verified key is cached for up to a second; its row, and its whole team, may have been deleted by now.
      throw driverError?.code === FOREIGN_KEY_VIOLATION ? invalidToken() : error;
    }
  }
}
