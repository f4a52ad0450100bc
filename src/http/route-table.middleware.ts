import { type ServerResponse } from 'node:http';
import { type EdgeRequest } from './edge-request.js';
import { notFound, ProblemException } from './problems/problem.js';

/** The parts of a layer of the Express router that are used here. */
interface RouterLayer {
  match(path: string): unknown;
  route?: { methods: Record<string, boolean> };
}

export interface RouterHost {
  router: { stack: RouterLayer[] };
}

/**
 * Before any guard, responds with 404 to paths that cannot match anything (invalid percent-encoding, NUL), and with 405
 * and `Allow` if a path exists but not for this method, OPTIONS included. Paths are matched by the router's own layers,
 * so that both always agree. Unknown paths pass: no guarded route matches them, and mounted assets may.
 */
export function routeTable(host: RouterHost) {
  return (request: EdgeRequest, _response: ServerResponse, next: () => void): void => {
    // Read once, because Express computes it on each access.
    const { path } = request;
    if (!namesSomething(path)) throw notFound();
    const allowed = new Set<string>();
    for (const layer of host.router.stack) {
      if (!layer.route || !layer.match(path)) continue;
      if (handles(layer.route.methods, request.method)) return next();
      for (const method of Object.keys(layer.route.methods)) allowed.add(method.toUpperCase());
    }
    if (allowed.size === 0) return next();
    if (allowed.has('GET')) allowed.add('HEAD');
    throw new ProblemException(
      405,
      'method_not_allowed',
      `The method ${request.method} is not allowed for this path.`,
      {
        headers: { Allow: [...allowed].sort().join(', ') },
      },
    );
  };
}

function namesSomething(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes('\0');
  } catch {
    return false;
  }
}

function handles(methods: Record<string, boolean>, method: string): boolean {
  const name = method.toLowerCase();
  return Boolean(methods._all || methods[name] || (name === 'head' && methods.get));
}
