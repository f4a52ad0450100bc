import { applyDecorators, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { type Reflector } from '@nestjs/core';
import { ApiSecurity } from '@nestjs/swagger';
import { type Role } from '../../domain/role.js';
import { type Scope } from './principal.js';

const ACCESS = 'daywatch:access';
const SCOPE = 'daywatch:scope';
const GUESTS = 'daywatch:guests';
const ROLE = 'daywatch:role';
const ANY_TEAM = 'daywatch:any-team';

/** How a route is protected. Without a decorator: by an API key. */
export type Access = 'key' | 'public' | 'session';

/** The route takes no credentials: health, docs, public pages, badges and heartbeat pings alone. */
export const Public = () => SetMetadata<string, Access>(ACCESS, 'public');

/**
 * The route belongs to the web application: a signed-in person instead of an API key. With `signedIn: false` it is also
 * for those who are not: to sign in, to set up, to accept an invitation.
 */
export const Session = ({ signedIn = true }: { signedIn?: boolean } = {}) =>
  applyDecorators(SetMetadata<string, Access>(ACCESS, 'session'), SetMetadata(GUESTS, !signedIn));

/** The role that a person needs for a route of the web application. Without this decorator it is for owners. */
export const RequireRole = (role: Role) => SetMetadata(ROLE, role);

/** The route acts on the person alone: its form may have been opened in another of their teams. */
export const TakeFormsOfAnyTeam = () => SetMetadata(ANY_TEAM, true);

/**
 * The scope that a key needs, also in the OpenAPI document; one that includes it is enough. Without this decorator a
 * route needs `admin`.
 */
export const RequireScope = (scope: Scope): MethodDecorator =>
  applyDecorators(SetMetadata(SCOPE, scope), ApiSecurity('bearer', [scope]));

export function accessOf(reflector: Reflector, context: ExecutionContext): Access {
  return reflector.getAllAndOverride<Access | undefined>(ACCESS, [context.getHandler(), context.getClass()]) ?? 'key';
}

/** Whether a route of the web application is for people who are not signed in, too. */
export function takesGuests(reflector: Reflector, context: ExecutionContext): boolean {
  return reflector.getAllAndOverride<boolean | undefined>(GUESTS, [context.getHandler(), context.getClass()]) ?? false;
}

export function takesFormsOfAnyTeam(reflector: Reflector, context: ExecutionContext): boolean {
  return reflector.get<boolean | undefined>(ANY_TEAM, context.getHandler()) ?? false;
}

export function requiredRole(reflector: Reflector, context: ExecutionContext): Role {
  return reflector.get<Role | undefined>(ROLE, context.getHandler()) ?? 'owner';
}

export function requiredScope(reflector: Reflector, context: ExecutionContext): Scope {
  return reflector.get<Scope | undefined>(SCOPE, context.getHandler()) ?? 'admin';
}
