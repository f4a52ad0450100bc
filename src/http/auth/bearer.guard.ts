import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-http-bearer';
import { accessOf } from './access.decorators.js';
import { type EdgeRequest } from '../edge-request.js';
import { KeyVerifier, type Principal } from './principal.js';
import { ProblemException } from '../problems/problem.js';

const REALM = 'daywatch';
/** The `b64token` syntax of RFC 6750. */
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/**
 * Returns the `WWW-Authenticate` header of a 401 or 403. Without an error it is bare: the caller sent no credentials.
 */
export function challenge(error?: string, scope?: string): string {
  return [`Bearer realm="${REALM}"`, error && `error="${error}"`, scope && `scope="${scope}"`]
    .filter(Boolean)
    .join(', ');
}

/** The only part of the request that the strategy sees: it would also accept `access_token` from the query or body. */
interface HeadersView {
  headers: { authorization?: string };
  /** Passed with the request, because Passport strategies are global to the process, whereas applications are not. */
  verifier: KeyVerifier;
}

class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor() {
    super({ realm: REALM, passReqToCallback: true });
  }

  validate(view: unknown, token: string): Promise<Principal | null> {
    return (view as HeadersView).verifier.verify(token);
  }
}

/**
 * Global guard: every route except `@Public()` and `@Session()` routes requires a valid API key in the `Authorization`
 * header. Responds with 401 and a bare challenge without credentials, the same 401 `invalid_token` for any invalid key,
 * and 400 if the query contains another key. Errors of the verifier propagate.
 */
@Injectable()
export class BearerGuard extends AuthGuard('bearer') {
  constructor(
    private readonly reflector: Reflector,
    private readonly verifier: KeyVerifier,
  ) {
    super();
    new BearerStrategy();
  }

  override canActivate(context: ExecutionContext): Promise<boolean> | boolean {
    return accessOf(this.reflector, context) === 'key' ? (super.canActivate(context) as Promise<boolean>) : true;
  }

  override getRequest(context: ExecutionContext): HeadersView {
    const request = context.switchToHttp().getRequest<EdgeRequest>();
    return { headers: bearerHeader(request), verifier: this.verifier };
  }

  override handleRequest<T>(error: unknown, principal: unknown, info: unknown, context: ExecutionContext): T {
    if (error) throw error as Error;
    if (!principal) throw info === challenge() ? unauthenticated() : invalidToken();
    context.switchToHttp().getRequest<EdgeRequest>().principal = principal as Principal;
    return principal as T;
  }
}

/** Returns the only bearer token in the headers, in the form the strategy reads; nothing for other schemes. */
function bearerHeader(request: EdgeRequest): HeadersView['headers'] {
  const all = request.headersDistinct.authorization ?? [];
  const [header = ''] = all;
  const [scheme, ...rest] = header.trim().split(/ +/);
  if (scheme?.toLowerCase() !== 'bearer') return {};
  if (all.length > 1 || request.query.access_token !== undefined) {
    throw new ProblemException(400, 'invalid_request', 'Send exactly one API key, in the Authorization header only.', {
      headers: { 'WWW-Authenticate': challenge('invalid_request') },
    });
  }
  const [token] = rest;
  if (rest.length !== 1 || !token || !TOKEN.test(token)) throw invalidToken();
  return { authorization: `Bearer ${token}` };
}

function unauthenticated(): ProblemException {
  return new ProblemException(401, 'unauthenticated', 'Send an API key: Authorization: Bearer <API key>.', {
    headers: { 'WWW-Authenticate': challenge() },
  });
}

export function invalidToken(): ProblemException {
  return new ProblemException(401, 'invalid_token', 'The API key is malformed, unknown, expired or revoked.', {
    headers: { 'WWW-Authenticate': challenge('invalid_token') },
  });
}
