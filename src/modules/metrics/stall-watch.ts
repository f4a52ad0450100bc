import { type ServerResponse } from 'node:http';
import { type EdgeRequest } from '../../http/edge-request.js';
import { methodOf, type RoutedRequest, routeOf } from './routed-request.js';

const STALL_MS = 100;
const LOG_EVERY_MS = 1_000;
const LOGGED = 10;

/** How often a request was being answered while the main thread stood still. */
export interface StalledRoute {
  method: string;
  route: string;
  count: number;
}

/**
 * Tells which requests were being answered while the main thread turned to nothing else for over 100 ms. One of them is
 * to blame, or what was done for one: JavaScript does not tell which of them had the thread.
 */
export class StallWatch {
  /** Those being answered, and those that ended since the last beat. */
  private readonly present = new Map<RoutedRequest, ServerResponse>();
  /** There from the start, at 0, so that a first rise is seen. */
  private readonly routes = new Map<string, StalledRoute>();
  private loggedAt = -LOG_EVERY_MS;
  private cpuMs = cpuMs();

  constructor(private readonly warn: (text: string) => void) {
    this.routes.set('GET unmatched', { method: 'GET', route: 'unmatched', count: 0 });
  }

  /** Middleware for before all else. */
  readonly watch = (request: EdgeRequest, response: ServerResponse, next: () => void): void => {
    this.present.set(request, response);
    next();
  };

  /** Called over and over, with how much later than it should have been. */
  beat(delayMs: number): void {
    const workedMs = cpuMs() - this.cpuMs;
    this.cpuMs += workedMs;
    // Without as much work it was the machine that had no time.
    if (delayMs > STALL_MS && workedMs > STALL_MS) this.note(delayMs);
    for (const [request, response] of this.present) if (response.closed) this.present.delete(request);
  }

  get stalled(): IterableIterator<StalledRoute> {
    return this.routes.values();
  }

  private note(delayMs: number): void {
    const requests = [...this.present.keys()];
    // Such as at the start: nobody waited.
    if (requests.length === 0) return;
    for (const request of requests) this.count(methodOf(request), routeOf(request));
    const now = performance.now();
    if (now - this.loggedAt < LOG_EVERY_MS) return;
    this.loggedAt = now;
    const shown = requests.slice(0, LOGGED).map(described).join(', ');
    const more = requests.length > LOGGED ? ` and ${requests.length - LOGGED} more` : '';
    this.warn(
      `the main thread turned to nothing else for ${Math.round(delayMs)} ms, while it answered ${shown}${more}`,
    );
  }

  private count(method: string, route: string): void {
    const name = `${method} ${route}`;
    const known = this.routes.get(name);
    if (known) known.count += 1;
    else this.routes.set(name, { method, route, count: 1 });
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function described(request: RoutedRequest): string {
  return `${methodOf(request)} ${routeOf(request)} requestId=${request.requestId ?? ''}`;
}
