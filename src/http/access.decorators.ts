import { applyDecorators, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { type Reflector } from '@nestjs/core';
import { ApiSecurity } from '@nestjs/swagger';
import { type Scope } from './principal.js';

const ACCESS = 'daywatch:access';
const SCOPE = 'daywatch:scope';

/** How a route is protected. Without a decorator: by an API key. */
export type Access = 'key' | 'public' | 'session';

/** The route takes no credentials: health, docs, public pages, badges and heartbeat pings alone. */
export const Public = () => SetMetadata<string, Access>(ACCESS, 'public');

/** The route belongs to the web application: a signed-in person instead of an API key. */
export const Session = () => SetMetadata<string, Access>(ACCESS, 'session');

/**
 * The scope that a key needs, also in the OpenAPI document; one that includes it is enough. Without this decorator a
 * route needs `admin`.
 */
export const RequireScope = (scope: Scope): MethodDecorator =>
  applyDecorators(SetMetadata(SCOPE, scope), ApiSecurity('bearer', [scope]));

export function accessOf(reflector: Reflector, context: ExecutionContext): Access {
  return reflector.getAllAndOverride<Access | undefined>(ACCESS, [context.getHandler(), context.getClass()]) ?? 'key';
}

export function requiredScope(reflector: Reflector, context: ExecutionContext): Scope {
  return reflector.get<Scope | undefined>(SCOPE, context.getHandler()) ?? 'admin';
}
