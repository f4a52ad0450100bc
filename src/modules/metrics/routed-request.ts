import { type EdgeRequest } from '../../http/edge-request.js';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export interface RoutedRequest extends EdgeRequest {
  /** Set by Express once a route has matched. */
  route?: { path?: unknown };
}

/** Returns the method if it is a standard one, else `other`: callers choose methods, and label values must be few. */
export function methodOf({ method }: RoutedRequest): string {
  return METHODS.has(method) ? method : 'other';
}

/** Returns the template of the route, or `unmatched`; never the path, which callers choose. */
export function routeOf({ route }: RoutedRequest): string {
  return typeof route?.path === 'string' ? route.path : 'unmatched';
}
