import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';

/** A relay in front of a database, with which a test can make the database unavailable to one service. */
export interface DatabaseLink {
  /** The URL of the database through this relay. */
  url: string;
  /** Closes every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Accepts connections again, at the same address. */
  restore(): Promise<void>;
  /** From now on drops all data without an error, on existing and on new connections, which stay open. */
  swallow(): void;
  /** Relays new connections again. Connections whose data was dropped never recover. */
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
