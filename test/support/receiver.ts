import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, type Socket } from 'node:net';
import { type TlsOptions } from 'node:tls';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';

/** A request as a receiver got it. */
export interface Received {
  method: string;
  /** Without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body as JSON; undefined if it is none. */
  json: unknown;
  form: URLSearchParams;
}

export interface AnswerSpec {
  status?: number;
  headers?: Record<string, string>;
  json?: unknown;
  text?: string;
}

/** What a receiver does with a request: answers, never answers, breaks the connection, or answers with 10 MB. */
export type Reply = AnswerSpec | 'hang' | 'reset' | 'huge';

/** A local HTTP server that stands for a provider. */
export class Receiver {
  readonly requests: Received[] = [];
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;
  private reply: (received: Received) => Reply = () => ({});

  constructor(private readonly tls?: TlsOptions) {
    const listener = (...[request, response]: Parameters<Parameters<typeof createServer>[1] & object>): void => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const url = new URL(request.url!, 'http://receiver.invalid');
        const text = Buffer.concat(chunks).toString('utf8');
        const received: Received = {
          method: request.method!,
          path: url.pathname,
          query: url.searchParams,
          headers: request.headers,
          text,
          json: parsed(text),
          form: new URLSearchParams(text),
        };
        this.requests.push(received);
        const reply = this.reply(received);
        if (reply === 'hang') return;
        if (reply === 'reset') return void request.socket.resetAndDestroy();
        if (reply === 'huge') return void response.writeHead(200).end(Buffer.alloc(10_000_000, 'x'));
        const isJson = reply.json !== undefined;
        response.writeHead(reply.status ?? 200, {
          'Content-Type': isJson ? 'application/json' : 'text/plain',
          ...reply.headers,
        });
        response.end(isJson ? JSON.stringify(reply.json) : (reply.text ?? ''));
      });
    };
    this.server = tls ? createTlsServer(tls, listener) : createServer(listener);
    this.server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.sockets.delete(socket));
    });
    this.server.on('tlsClientError', () => undefined);
  }

  /** `http://127.0.0.1:<port>`, or `https://localhost:<port>`. */
  get origin(): string {
    return this.tls ? `https://localhost:${this.port}` : `http://127.0.0.1:${this.port}`;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Connections that are open now. */
  get open(): number {
    return this.sockets.size;
  }

  /** The only request so far. */
  get only(): Received {
    if (this.requests.length !== 1) throw new Error(`The receiver got ${this.requests.length} requests.`);
    return this.requests[0]!;
  }

  /** Returns the bodies of the requests for a path, as JSON. */
  bodiesAt<T>(path: string): T[] {
    return this.requests.filter((one) => one.path === path).map(({ json }) => json as T);
  }

  /** Answers each request in this way from now on, and forgets earlier requests. */
  answer(reply: Reply | ((received: Received) => Reply)): this {
    this.requests.length = 0;
    this.reply = typeof reply === 'function' ? reply : () => reply;
    return this;
  }

  listen(): Promise<void> {
    return new Promise((done) => this.server.listen(0, '127.0.0.1', done));
  }

  close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    return new Promise((done) => this.server.close(() => done()));
  }
}

/** Returns a receiver for the tests of a file, which answers each request with 200 unless told otherwise. */
export function useReceiver(tls?: TlsOptions): Receiver {
  const receiver = new Receiver(tls);
  beforeAll(() => receiver.listen());
  beforeEach(() => void receiver.answer({}));
  afterAll(() => receiver.close());
  return receiver;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
