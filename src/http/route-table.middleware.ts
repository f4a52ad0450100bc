import { type ServerResponse } from 'node:http';
import { type EdgeRequest } from './edge-request.js';
import { notFound, ProblemException } from './problems/problem.js';

/** What is used of a layer of the Express router. */
interface RouterLayer {
  match(path: string): unknown;
  route?: { methods: Record<string, boolean> };
}

export interface RouterHost {
  router: { stack: RouterLayer[] };
}

/**
 * Answers, before any guard, 404 to paths that cannot name anything (broken percent-encoding, NUL) and 405 with `Allow`
 * where a path is known but not for this method, OPTIONS included. Paths are matched by the router's own layers, so
 * that both always agree. Unknown paths pass: no guarded route takes them, and mounted assets may.
 */
export function routeTable(host: RouterHost) {
  return (request: EdgeRequest, _response: ServerResponse, next: () => void): void => {
    // Worked out anew each time it is read.
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
    throw new ProblemException(405, 'method_not_allowed', `${request.method} is not allowed here.`, {
      headers: { Allow: [...allowed].sort().join(', ') },
    });
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
