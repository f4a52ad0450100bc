import { type EdgeRequest } from '../../http/edge-request.js';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export interface RoutedRequest extends EdgeRequest {
  /** Set by Express once a route has matched. */
  route?: { path?: unknown };
}

/** The method, as far as it is a usual one: callers choose others, and labels stay few. */
export function methodOf({ method }: RoutedRequest): string {
  return METHODS.has(method) ? method : 'other';
}

/** The template of the route, never the path: callers choose paths. */
export function routeOf({ route }: RoutedRequest): string {
  return typeof route?.path === 'string' ? route.path : 'unmatched';
}
