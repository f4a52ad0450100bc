import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';

/** An HTTP server on 127.0.0.1 that responds with 200, and that a test can stop and restart at the same port. */
export interface Switchable {
  port: number;
  url: string;
  /** Stops listening and closes all connections. */
  down(): Promise<void>;
  up(): Promise<void>;
}

/** Starts a server on a free port. */
export async function startSwitchable(): Promise<Switchable> {
  const server = createServer((_, response) => void response.end('ok'));
  const listen = async (port: number): Promise<void> => {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/`,
    up: () => listen(port),
    down: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
