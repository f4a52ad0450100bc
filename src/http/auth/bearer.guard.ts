import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-http-bearer';
import { accessOf } from './access.decorators.js';
import { type EdgeRequest } from '../edge-request.js';
import { KeyVerifier, type Principal } from './principal.js';
import { ProblemException } from '../problems/problem.js';

const REALM = 'daywatch';
/** `b64token` of RFC 6750. */
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/** `WWW-Authenticate` of a 401 or 403; without an error it is bare, as for a caller who sent no credentials. */
export function challenge(error?: string, scope?: string): string {
  return [`Bearer realm="${REALM}"`, error && `error="${error}"`, scope && `scope="${scope}"`]
    .filter(Boolean)
    .join(', ');
}

/** All that the strategy gets to see: it would take `access_token` from a query or a body. */
interface HeadersView {
  headers: { authorization?: string };
  /** Passport's strategies are global to the process, applications are not: so the verifier comes with the request. */
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
 * Global guard: every route but `@Public()` and `@Session()` ones needs a valid API key in the `Authorization` header.
 * 401 with a bare challenge without credentials, one and the same 401 `invalid_token` for any bad key, 400 where the
 * query names another one beside it. Errors of the verifier pass through.
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

/** The one bearer token of the headers, in the form the strategy reads; none for other schemes. */
function bearerHeader(request: EdgeRequest): HeadersView['headers'] {
  const all = request.headersDistinct.authorization ?? [];
  const [header = ''] = all;
  const [scheme, ...rest] = header.trim().split(/ +/);
  if (scheme?.toLowerCase() !== 'bearer') return {};
  if (all.length > 1 || request.query.access_token !== undefined) {
    throw new ProblemException(400, 'invalid_request', 'Send one API key, in the Authorization header alone.', {
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
