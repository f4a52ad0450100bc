import { type ExecutionContext, SetMetadata } from '@nestjs/common';
import { type Reflector } from '@nestjs/core';
import { type Scope } from './principal.js';

const ACCESS = 'daywatch:access';
const SCOPE = 'daywatch:scope';

/** How a route is protected. Without a decorator: by an API key. */
export type Access = 'key' | 'public' | 'session';

/** The route takes no credentials: health, docs, public pages, badges and heartbeat pings alone. */
export const Public = () => SetMetadata<string, Access>(ACCESS, 'public');

/** The route belongs to the web application: a signed-in person instead of an API key. */
export const Session = () => SetMetadata<string, Access>(ACCESS, 'session');

/** The scope that a key needs; one that includes it is enough. Without this decorator a route needs `admin`. */
export const RequireScope = (scope: Scope) => SetMetadata(SCOPE, scope);

export function accessOf(reflector: Reflector, context: ExecutionContext): Access {
  return reflector.getAllAndOverride<Access | undefined>(ACCESS, [context.getHandler(), context.getClass()]) ?? 'key';
}

export function requiredScope(reflector: Reflector, context: ExecutionContext): Scope {
  return reflector.getAllAndOverride<Scope | undefined>(SCOPE, [context.getHandler(), context.getClass()]) ?? 'admin';
}
