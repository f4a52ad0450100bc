import { type Observation } from '../observation.js';
import { type ProbeContext } from '../probe.js';
import { openConnection } from './connection.js';
import { exchange, type HttpReply } from './exchange.js';
import { type Hop } from './redirect.js';
import { requestOf } from './request.js';

/**
 * Sends one request on a new connection, with a verified certificate if the URL is https, and returns the response,
 * whatever its status, with up to 1 MiB of its body. Records the phases. Rejects with a `ProbeFault`.
 */
export async function plainRequest(
  hop: Hop,
  seen: Observation,
  context: Pick<ProbeContext, 'egress' | 'deadline' | 'onCertificate'>,
): Promise<HttpReply> {
  const socket = await openConnection(hop.url, { verifyTls: true }, seen, context);
  const progress = { onFirstByte: () => seen.clock.lap('firstByteMs'), onHead: () => true, keepsBody: true };
  const reply = await exchange(socket, requestOf(hop), progress, context.deadline);
  seen.clock.lap('transferMs');
  return reply;
}
