import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A TCP relay on 127.0.0.1 that a test can interrupt. */
export interface Relay {
  port: number;
  /** Closes every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Accepts connections again, at the same port. */
  restore(): Promise<void>;
  /** Holds back all data of the existing connections, without an error, until the returned function is called. */
  hold(): () => void;
  /** From now on drops all data without an error, on existing and on new connections, which stay open. */
  swallow(): void;
  /** Relays new connections again. Connections whose data was dropped never recover. */
  carry(): void;
}

/** @param open connects to the other end of the relay */
export async function startRelay(open: () => Socket): Promise<Relay> {
  const sockets = new Set<Socket>();
  let swallowing = false;
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    track(client);
    if (swallowing) return;
    const upstream = open();
    track(upstream);
    client.pipe(upstream).pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  const listen = async (at: number): Promise<void> => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    cut: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    restore: () => listen(port),
    hold: () => {
      const held = [...sockets];
      for (const socket of held) socket.pause();
      return () => held.forEach((socket) => socket.resume());
    },
    swallow: () => {
      swallowing = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    carry: () => void (swallowing = false),
  };
}
