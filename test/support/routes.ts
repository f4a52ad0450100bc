import { type NestExpressApplication } from '@nestjs/platform-express';

export interface RegisteredRoute {
  method: string;
  path: string;
}

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
}

/** Returns every route that the running router knows. */
export function registeredRoutes(nest: NestExpressApplication): RegisteredRoute[] {
  const express = nest.getHttpAdapter().getInstance() as unknown as { router: { stack: Layer[] } };
  return express.router.stack.flatMap(({ route }) =>
    route ? Object.keys(route.methods).map((method) => ({ method: method.toUpperCase(), path: route.path })) : [],
  );
}
