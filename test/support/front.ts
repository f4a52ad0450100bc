import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * A failure of the proxy. `refused`: it answers 503 without forwarding the request. `late`: the service handles the
 * request, but the proxy answers 504. `cut`: the service handles the request, but the connection is closed. A function
 * runs before the proxy forwards the response.
 */
export type Mishap = 'refused' | 'late' | 'cut' | (() => Promise<unknown>);

/** A request to which the service has responded. */
export interface PassedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  status: number;
}

/** A reverse proxy in front of the service, on 127.0.0.1 and a free port. */
export interface Front {
  origin: string;
  /** The requests forwarded so far. */
  passed: PassedRequest[];
  /** Applies a failure to the next request with this method whose URL ends with `pathEnd`; others are forwarded. */
  next(method: string, pathEnd: string, mishap: Mishap): void;
  close(): Promise<void>;
}

export async function startFront(service: string): Promise<Front> {
  const passed: PassedRequest[] = [];
  const mishaps: { method: string; pathEnd: string; mishap: Mishap }[] = [];
  const server = createServer((incoming, response) => {
    pass(incoming, response).catch(() => page(response, 502));
  });

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming;
    const body = await buffer(incoming);
    const due = mishaps.findIndex((one) => one.method === method && url.endsWith(one.pathEnd));
    const mishap = due < 0 ? null : mishaps.splice(due, 1)[0]!.mishap;
    if (mishap === 'refused') return page(response, 503, { 'retry-after': '1' });
    const [answer] = (await once(request(service + url, { method, headers }).end(body), 'response')) as [
      IncomingMessage,
    ];
    const status = answer.statusCode!;
    const said = await buffer(answer);
    passed.push({ method, path: url, headers, status });
    if (mishap === 'late') return page(response, 504);
    if (typeof mishap === 'function') await mishap();
    if (mishap === 'cut') return void response.socket?.destroy();
    response.writeHead(status, answer.headers).end(said);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    next: (method, pathEnd, mishap) => void mishaps.push({ method, pathEnd, mishap }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Responds with HTML, as proxies do in their own responses. */
function page(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(`<h1>${status}</h1>`);
}
