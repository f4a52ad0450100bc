import { type ExecutionContext, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/internal';
import { ModulesContainer, Reflector } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Role } from '../../src/domain/role.js';
import { accessOf, requiredRole, takesGuests } from '../../src/http/auth/access.decorators.js';

/** A route of the web application, as its decorators define it. */
export interface SessionRoute {
  method: string;
  path: string;
  /** Whether people who are not signed in may call it. */
  takesGuests: boolean;
  role: Role;
}

/** Returns every route of the web application, by reflection over the controllers. */
export function sessionRoutes(nest: NestExpressApplication): SessionRoute[] {
  const controllers = [...nest.get(ModulesContainer).values()].flatMap((module) =>
    [...module.controllers.values()].map(({ metatype }) => metatype as Type),
  );
  return [...new Set(controllers)].flatMap(routesOf);
}

function routesOf(controller: Type): SessionRoute[] {
  const reflector = new Reflector();
  const prototype = controller.prototype as Record<string, () => unknown>;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = prototype[name]!;
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    const context = { getHandler: () => handler, getClass: () => controller } as unknown as ExecutionContext;
    if (method === undefined || accessOf(reflector, context) !== 'session') return [];
    const steps = [controller, handler].map((one) => Reflect.getMetadata(PATH_METADATA, one) as string);
    const path = `/${steps.join('/')}`.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1');
    return [
      {
        method: RequestMethod[method],
        path,
        takesGuests: takesGuests(reflector, context),
        role: requiredRole(reflector, context),
      },
    ];
  });
}
