import { type ServerResponse } from 'node:http';
import { Gauge, Histogram, type Registry } from 'prom-client';
import { methodOf, type RoutedRequest, routeOf } from './routed-request.js';

const BOUNDS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Measures requests by route template, never by path: callers choose paths, and label values are never removed. */
export class RequestMetrics {
  private readonly duration: Histogram<'method' | 'route' | 'status_class'>;
  private inFlight = 0;

  constructor(registry: Registry) {
    this.duration = new Histogram({
      name: 'daywatch_http_request_duration_seconds',
      help: 'Time from a request to the end of its response.',
      labelNames: ['method', 'route', 'status_class'],
      buckets: BOUNDS_S,
      registers: [registry],
    });
    const current = (): number => this.inFlight;
    new Gauge({
      name: 'daywatch_http_requests_in_flight',
      help: "Requests in flight, including this scrape if it uses the API's port.",
      registers: [registry],
      collect() {
        this.set(current());
      },
    });
  }

  /** Middleware that must run before all else. */
  readonly watch = (request: RoutedRequest, response: ServerResponse, next: () => void): void => {
    const startedAt = performance.now();
    this.inFlight += 1;
    // Emitted after each response, and when a connection closes before its response is complete.
    response.once('close', () => {
      this.inFlight -= 1;
      this.duration.observe(
        {
          method: methodOf(request),
          route: routeOf(request),
          status_class: response.writableFinished ? `${Math.floor(response.statusCode / 100)}xx` : 'broken_off',
        },
        (performance.now() - startedAt) / 1_000,
      );
    });
    next();
  };
}
