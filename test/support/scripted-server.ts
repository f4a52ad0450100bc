import { createSocket, type RemoteInfo } from 'node:dgram';
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

/** A server of datagrams on 127.0.0.1 and a free port that does exactly what a test says. */
export interface DatagramServer {
  port: number;
  received: Buffer[];
  close: () => Promise<void>;
}

/** What a server does with a datagram, which is its `number`th, counted from 1. */
export type DatagramScript = (
  request: Buffer,
  respond: (reply: Buffer | string) => void,
  number: number,
  from: RemoteInfo,
) => void;

/** Starts a server that calls `act` with each datagram. */
export async function datagramServer(act: DatagramScript): Promise<DatagramServer> {
  const socket = createSocket('udp4');
  const received: Buffer[] = [];
  socket.on('message', (request, from) => {
    // The server may have been closed meanwhile, and the asking side has no room for a flood.
    act(request, (reply) => socket.send(reply, from.port, from.address, () => undefined), received.push(request), from);
  });
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
  return { port: socket.address().port, received, close: () => new Promise((done) => socket.close(done)) };
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
