import { type ServerResponse } from 'node:http';
import { type CanActivate, type ExecutionContext } from '@nestjs/common';
import { invalidToken } from '../auth/bearer.guard.js';
import { type EdgeRequest } from '../edge-request.js';
import { ProblemException } from '../problems/problem.js';
import { type RateLimiter } from './rate-limiter.js';
import { type Admission, rateLimitHeaders, retryAfterSeconds } from './token-bucket.js';

const FOREIGN_KEY_VIOLATION = '23503';

/**
 * Runs after authentication: each request under an API key takes a token of the key's bucket, and is 429 where there is
 * none. Every answer to a valid key tells how much is left. Without the database its error passes through.
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
    throw new ProblemException(429, 'rate_limited', `The API key has made too many requests: wait ${seconds} s.`, {
      headers: { 'Retry-After': String(seconds) },
    });
  }

  private async admit(keyId: string): Promise<Admission> {
    try {
      return await this.limiter.admit(keyId);
    } catch (error) {
      const { driverError } = error as { driverError?: { code?: string } };
      // A key is believed for up to a second: its row, and all of its team, may be gone by now.
      throw driverError?.code === FOREIGN_KEY_VIOLATION ? invalidToken() : error;
    }
  }
}
