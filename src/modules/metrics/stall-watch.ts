import { type ServerResponse } from 'node:http';
import { type EdgeRequest } from '../../http/edge-request.js';
import { methodOf, type RoutedRequest, routeOf } from './routed-request.js';

const STALL_MS = 100;
const LOG_EVERY_MS = 1_000;
const LOGGED = 10;

/** How often requests of a route were in progress while the main thread was blocked. */
export interface StalledRoute {
  method: string;
  route: string;
  count: number;
}

/**
 * Reports which requests were in progress while the main thread was blocked for over 100 ms. One of them, or work done
 * for one, is the cause: JavaScript does not reveal which of them occupied the thread.
 */
export class StallWatch {
  /** Requests in progress, and those that ended since the last beat. */
  private readonly present = new Map<RoutedRequest, ServerResponse>();
  /** Includes one route at 0 from the start, so that a first increase is visible. */
  private readonly routes = new Map<string, StalledRoute>();
  private loggedAt = -LOG_EVERY_MS;
  /** At the last beat with a request, or when the first request arrived since. */
  private cpuMs = 0;

  constructor(private readonly warn: (text: string) => void) {
    this.routes.set('GET unmatched', { method: 'GET', route: 'unmatched', count: 0 });
  }

  /** Middleware that must run before all else. */
  readonly watch = (request: EdgeRequest, response: ServerResponse, next: () => void): void => {
    if (this.present.size === 0) this.cpuMs = cpuMs();
    this.present.set(request, response);
    next();
  };

  /** Called repeatedly, with the milliseconds by which the call is late. */
  beat(delayMs: number): void {
    // Without a request, nobody has to wait, and reading the CPU time takes longer than the rest of a beat.
    if (this.present.size === 0) return;
    const workedMs = cpuMs() - this.cpuMs;
    this.cpuMs += workedMs;
    // With less CPU time than this, the process was not scheduled rather than blocked.
    if (delayMs > STALL_MS && workedMs > STALL_MS) this.note(delayMs);
    for (const [request, response] of this.present) if (response.closed) this.present.delete(request);
  }

  get stalled(): IterableIterator<StalledRoute> {
    return this.routes.values();
  }

  private note(delayMs: number): void {
    const requests = [...this.present.keys()];
    for (const request of requests) this.count(methodOf(request), routeOf(request));
    const now = performance.now();
    if (now - this.loggedAt < LOG_EVERY_MS) return;
    this.loggedAt = now;
    const shown = requests.slice(0, LOGGED).map(described).join(', ');
    const more = requests.length > LOGGED ? ` and ${requests.length - LOGGED} more` : '';
    this.warn(`the main thread was blocked for ${Math.round(delayMs)} ms while answering ${shown}${more}`);
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
