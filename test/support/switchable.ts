import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { errorCode } from '../../src/probes/net/probe-fault.js';

/** The ports to choose from: no system gives them to outgoing connections, so a stopped server finds its own free again. */
const [FIRST_PORT, LAST_PORT] = [20_000, 30_000];

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
  const listenAnywhere = async (): Promise<number> => {
    for (;;) {
      const port = randomInt(FIRST_PORT, LAST_PORT);
      try {
        await listen(port);
        return port;
      } catch (error) {
        if (errorCode(error) !== 'EADDRINUSE') throw error;
      }
    }
  };
  const port = await listenAnywhere();
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
