import { applyDecorators, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { type Reflector } from '@nestjs/core';
import { ApiSecurity } from '@nestjs/swagger';
import { type Role } from '../../domain/role.js';
import { type Scope } from './principal.js';

const ACCESS = 'daywatch:access';
const SCOPE = 'daywatch:scope';
const GUESTS = 'daywatch:guests';
const FORM = 'daywatch:form';
const ROLE = 'daywatch:role';
const ANY_TEAM = 'daywatch:any-team';

/** How a route is protected. Without a decorator, it requires an API key. */
export type Access = 'key' | 'public' | 'session';

/** Marks a route that requires no credentials. Reserved for health, docs, public pages, badges and heartbeat pings. */
export const Public = () => SetMetadata<string, Access>(ACCESS, 'public');

/** Marks a public route that takes a form. */
export const TakesForm = () => SetMetadata(FORM, true);

/**
 * Marks a route of the web application, which requires a signed-in user instead of an API key. With `signedIn: false`,
 * the route is also open to visitors: to sign in, to set up, to accept an invitation.
 */
export const Session = ({ signedIn = true }: { signedIn?: boolean } = {}) =>
  applyDecorators(SetMetadata<string, Access>(ACCESS, 'session'), SetMetadata(GUESTS, !signedIn));

/** Sets the role that a user needs for a route of the web application. Without it, the route is for owners. */
export const RequireRole = (role: Role) => SetMetadata(ROLE, role);

/** Marks a route that only concerns the user, so its form may have been opened in another of the user's teams. */
export const TakeFormsOfAnyTeam = () => SetMetadata(ANY_TEAM, true);

/**
 * Sets the scope that a key needs, also in the OpenAPI document. A scope that includes it is sufficient. Without this
 * decorator, a route requires `admin`.
 */
export const RequireScope = (scope: Scope): MethodDecorator =>
  applyDecorators(SetMetadata(SCOPE, scope), ApiSecurity('bearer', [scope]));

export function accessOf(reflector: Reflector, context: ExecutionContext): Access {
  return reflector.getAllAndOverride<Access | undefined>(ACCESS, [context.getHandler(), context.getClass()]) ?? 'key';
}

/** Returns whether a route takes a form: those of the web application, and public ones that are marked. */
export function takesForm(reflector: Reflector, context: ExecutionContext): boolean {
  const isMarked = reflector.get<boolean | undefined>(FORM, context.getHandler()) ?? false;
  return isMarked || accessOf(reflector, context) === 'session';
}

/** Returns whether a route of the web application is also open to users who are not signed in. */
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
