import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';

/** A relay in front of a database, so that a test can take the database away from one service. */
export interface DatabaseLink {
  /** The same database by way of this link. */
  url: string;
  /** Cuts every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Lets connections through again, at the same address. */
  restore(): Promise<void>;
  /** Swallows all that is sent from now on, on connections that stay and on new ones: nobody learns of it. */
  swallow(): void;
  /** Lets new connections through. Those that were swallowed from never work again. */
  carry(): void;
}

export async function linkTo(databaseUrl: string): Promise<DatabaseLink> {
  const { host, port, user, password, database } = new Client({ connectionString: databaseUrl });
  const sockets = new Set<Socket>();
  let swallowing = false;
  const open = (): Socket => (host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host));
  const server = createServer((client) => {
    if (swallowing) {
      sockets.add(client);
      client.on('error', () => client.destroy()).on('close', () => sockets.delete(client));
      return;
    }
    const upstream = open();
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    client.pipe(upstream).pipe(client);
  });
  const listen = async (at: number): Promise<void> => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const address = server.address() as AddressInfo;
  const credentials = [user ?? '', password ?? ''].map(encodeURIComponent).join(':');
  return {
    url: `postgresql://${credentials}@127.0.0.1:${address.port}/${database}`,
    cut: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    restore: () => listen(address.port),
    swallow: () => {
      swallowing = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    carry: () => void (swallowing = false),
  };
}
