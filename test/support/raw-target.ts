import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { createSecureContext, createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** A server on 127.0.0.1 and a free port that sends exactly the bytes that the test specifies. */
export interface RawTarget {
  port: number;
  /** `http://127.0.0.1:<port>`, or `https://localhost:<port>`. */
  origin: string;
  /** The head of each request, with any bytes that arrived together with it, in order. */
  requests: string[];
  /** Connections accepted so far. */
  connections(): number;
  close(): Promise<void>;
}

/** Starts a server that calls `answer` once the head of a request has arrived. */
export function rawTarget(answer: (socket: Socket, request: string) => void, tls?: TlsOptions): Promise<RawTarget> {
  const open = new Set<Socket>();
  const requests: string[] = [];
  let connections = 0;
  const accept = (socket: Socket): void => {
    connections += 1;
    open.add(socket);
    let received = '';
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    socket.on('data', (chunk) => {
      const before = received.includes('\r\n\r\n');
      received += chunk.toString('latin1');
      if (before || !received.includes('\r\n\r\n')) return;
      requests.push(received);
      answer(socket, received);
    });
  };
  const server = tls ? createTlsServer(tls, accept) : createServer(accept);
  server.on('tlsClientError', () => undefined);
  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      const close = (): Promise<void> => {
        for (const socket of open) socket.destroy();
        return new Promise((closed) => server.close(() => closed()));
      };
      const origin = tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`;
      done({ port, origin, requests, connections: () => connections, close });
    });
  });
}

/** Returns a function that responds with this body and closes the connection. */
export function textAnswer(body: string, head = 'HTTP/1.1 200 OK'): (socket: Socket) => void {
  return (socket) => socket.end(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

/** Returns a server certificate of `test/fixtures/tls` with its key. */
export function testCertificate(name: 'valid' | 'expired' | 'other-name' | 'self-signed'): TlsOptions {
  return { cert: fixture(`${name}.pem`), key: fixture('test-only.key') };
}

/** Returns the certificate of the authority of the test certificates. */
export function testAuthority(): Buffer {
  return fixture('ca.pem');
}

/** Returns a context that trusts only this authority. */
export function testTrust() {
  return createSecureContext({ ca: testAuthority() });
}

function fixture(file: string): Buffer {
  return readFileSync(resolve('test/fixtures/tls', file));
}
