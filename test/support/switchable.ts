import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';

/** An HTTP server on 127.0.0.1 that answers 200, and that a test takes away and brings back at the same port. */
export interface Switchable {
  port: number;
  url: string;
  /** Nothing listens any more, and what was open is cut. */
  down(): Promise<void>;
  up(): Promise<void>;
}

/** Listens on a free port. */
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
