import { type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { type Deadline } from '../deadline.js';
import { closeSocket } from '../net/connection.js';
import { exchange, type ExchangeProgress, type HttpReply } from './exchange.js';
import { expectAccess, type Proxy } from './proxy.js';
import { type Hop } from './redirect.js';
import { http2RequestOf, requestOf } from './request.js';

/**
 * Sends a request over a connection of `openConnection`, in the version of HTTP that was negotiated, and returns the
 * response; the connection is closed when this settles. Rejects like `exchange`, and if the proxy denies access.
 */
export async function sendRequest(
  socket: Socket,
  hop: Hop,
  progress: ExchangeProgress,
  { deadline, proxy = null }: { deadline: Deadline; proxy?: Proxy | null },
): Promise<HttpReply> {
  if (!(socket instanceof TLSSocket)) {
    const reply = await exchange(socket, requestOf(hop, proxy), progress, deadline);
    if (proxy) expectAccess(reply.statusCode);
    return reply;
  }
  if (socket.alpnProtocol !== 'h2') return exchange(socket, requestOf(hop), progress, deadline);
  // HTTP/2 takes megabytes of memory, so it is loaded by the first check that needs it.
  const { exchangeHttp2 } = await import('./exchange-http2.js');
  try {
    return await exchangeHttp2(socket, http2RequestOf(hop), progress, deadline);
  } finally {
    closeSocket(socket);
  }
}
