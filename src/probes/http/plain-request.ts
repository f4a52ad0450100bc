import { type Means } from '../net/dial.js';
import { type Observation } from '../observation.js';
import { openConnection } from './connection.js';
import { type HttpReply } from './exchange.js';
import { type Hop } from './redirect.js';
import { sendRequest } from './send.js';

/**
 * Sends one request on a new connection, with a verified certificate if the URL is https, and returns the response,
 * whatever its status, with up to 1 MiB of its body. Records the phases. Rejects with a `ProbeFault`. `http2`: whether
 * HTTP/2 is offered, besides HTTP/1.1.
 */
export async function plainRequest(
  hop: Hop,
  seen: Observation,
  context: Means,
  { http2 = false } = {},
): Promise<HttpReply> {
  const socket = await openConnection(hop.url, { verifyTls: true, http2 }, seen, context);
  const progress = { onFirstByte: () => seen.clock.lap('firstByteMs'), onHead: () => true, keepsBody: true };
  const reply = await sendRequest(socket, hop, progress, context);
  seen.clock.lap('transferMs');
  return reply;
}
