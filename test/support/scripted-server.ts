import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** A server on 127.0.0.1 and a free port that does exactly what a test says. */
export interface ScriptedServer {
  port: number;
  /** What each connection has received so far, in the order of the connections. */
  received: Buffer[];
  /** Resolves when no connection is open. */
  idle: () => Promise<void>;
  close: () => Promise<void>;
}

/** Starts a server that calls `act` with each connection. */
export async function scriptedServer(act: (socket: Socket) => void, tls?: TlsOptions): Promise<ScriptedServer> {
  const open = new Set<Socket>();
  const waiting = new Set<() => void>();
  const received: Buffer[] = [];
  const accept = (socket: Socket): void => {
    const number = received.push(Buffer.alloc(0)) - 1;
    socket.on('data', (chunk: Buffer) => (received[number] = Buffer.concat([received[number]!, chunk])));
    act(socket);
  };
  const server = tls ? createTlsServer(tls, accept) : createServer(accept);
  server.on('tlsClientError', () => undefined);
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket
      .on('error', () => undefined)
      .once('close', () => {
        open.delete(socket);
        if (open.size === 0) for (const resolve of waiting) resolve();
      });
  });
  if (tls) server.on('secureConnection', (socket: Socket) => socket.on('error', () => undefined));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port,
    received,
    idle: () => new Promise((resolve) => (open.size === 0 ? resolve() : waiting.add(resolve))),
    close: () => {
      for (const socket of open) socket.destroy();
      return new Promise((done) => server.close(() => done()));
    },
  };
}

type Reply = string | Buffer | ((heard: Buffer) => string | Buffer);

/** Returns a script that sends a greeting, and then one reply for each piece that it receives. */
export function dialogue(greeting: string | Buffer | null, ...replies: Reply[]): (socket: Socket) => void {
  return (socket) => {
    const left = [...replies];
    if (greeting !== null) socket.write(greeting);
    socket.on('data', (chunk: Buffer) => {
      const reply = left.shift();
      if (reply !== undefined) socket.write(typeof reply === 'function' ? reply(chunk) : reply);
    });
  };
}
