import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

/** A request that the target received. */
export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Behaviour = (response: ServerResponse, request: SeenRequest) => void;

/** An HTTP server on 127.0.0.1 and a free port, whose behaviour a test can change at any time. */
export interface Target {
  origin: string;
  /** Returns the URL of a path. Each path has its own behaviour. */
  url(path: string): string;
  /** Sets the behaviour for requests for this path. The default is 200 with the body `ok`. */
  behave(path: string, behaviour: Behaviour): void;
  /** Returns the requests for a path so far. */
  requests(path: string): SeenRequest[];
  close(): Promise<void>;
}

/** Responds with a status and a text. */
export function answers(status: number, text = ''): Behaviour {
  return (response) => void response.writeHead(status, { 'content-type': 'text/plain' }).end(text);
}

/** Behaves like each of these in turn, and then always like the last one. */
export function inTurn(...behaviours: readonly Behaviour[]): Behaviour {
  const rest = [...behaviours];
  return (response, request) => (rest.length > 1 ? rest.shift()! : rest[0]!)(response, request);
}

/** Resets the connection instead of responding. */
export const resets: Behaviour = (response) => void response.socket?.resetAndDestroy();

export async function startTarget(): Promise<Target> {
  const behaviours = new Map<string, Behaviour>();
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const one = { method, path, headers, body: Buffer.concat(chunks).toString() };
      seen.push(one);
      (behaviours.get(path) ?? answers(200, 'ok'))(response, one);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: (path) => origin + path,
    behave: (path, behaviour) => void behaviours.set(path, behaviour),
    requests: (path) => seen.filter((one) => one.path === path),
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
