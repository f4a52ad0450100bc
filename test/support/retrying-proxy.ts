import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A proxy in front of several processes that serve the same API. */
export interface RetryingProxy {
  origin: string;
  /** Requests that a process refused to be connected for, and that another one was sent. */
  readonly retried: number;
  close(): Promise<void>;
}

/**
 * Starts a proxy that sends each request to one of the processes in turn and, only if its connection is refused, to the
 * next one. It keeps connections open, as proxies do; whatever else fails, it responds with 502.
 *
 * @param origins the processes now
 */
export async function startRetryingProxy(origins: () => readonly string[]): Promise<RetryingProxy> {
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  let retried = 0;
  const send = async (from: IncomingMessage, body: Buffer, origin: string): Promise<IncomingMessage> => {
    const call = request(origin + from.url!, { agent, method: from.method, headers: from.headers });
    call.end(body);
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    return answer;
  };
  const forward = async (from: IncomingMessage, to: ServerResponse): Promise<void> => {
    const body = await buffer(from);
    const all = origins();
    const first = turn++;
    for (let attempt = 0; ; attempt += 1) {
      try {
        const answer = await send(from, body, all[(first + attempt) % all.length]!);
        const text = await buffer(answer);
        to.writeHead(answer.statusCode!, answer.headers).end(text);
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED' || attempt + 1 >= all.length) throw error;
        retried += 1;
      }
    }
  };
  const server = createServer((from, to) => {
    forward(from, to).catch((error: Error) => {
      if (to.headersSent) to.destroy();
      else to.writeHead(502, { 'content-type': 'text/plain' }).end(error.message);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get retried() {
      return retried;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
}
