import { type Socket } from 'node:net';
import { Conversation } from '../net/conversation.js';
import { endpointOf, type Means } from '../net/dial.js';
import { ProbeFault } from '../net/probe-fault.js';
import { Observation } from '../observation.js';
import { PhaseClock } from '../phase-clock.js';
import { takeHead } from './response-head.js';

/** An HTTP proxy, with the value of `Proxy-Authorization`, if it asks for credentials. */
export interface Proxy {
  url: URL;
  authorization: string | null;
}

const NEEDS_CREDENTIALS = 407;

/**
 * Makes a proxy connect to the server of a URL (RFC 9110, section 9.3.6); the connection to the proxy is then a connection
 * to that server. Records the time as that of connecting. On failure, closes the connection and rejects with a
 * `ProbeFault`.
 */
export async function tunnel(socket: Socket, url: URL, proxy: Proxy, seen: Observation, context: Means): Promise<void> {
  const { port } = endpointOf(url);
  const authority = `${url.hostname}:${port}`;
  const credentials = proxy.authorization === null ? '' : `Proxy-Authorization: ${proxy.authorization}\r\n`;
  // The first byte of the proxy is not that of the target.
  const conversation = new Conversation(socket, proxy.url.hostname, new Observation(new PhaseClock(), []), context);
  try {
    conversation.send(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credentials}\r\n`);
    const { statusCode } = await takeHead(conversation);
    expectAccess(statusCode);
    if (statusCode < 200 || statusCode > 299) {
      throw new ProbeFault('connect_failed', `The proxy could not connect to the target (status ${statusCode}).`);
    }
    conversation.release();
    seen.clock.lap('connectMs');
  } catch (error) {
    await conversation.close();
    throw error;
  }
}

/** @throws ProbeFault if the status of a proxy's response means that it does not accept the credentials */
export function expectAccess(statusCode: number): void {
  if (statusCode !== NEEDS_CREDENTIALS) return;
  throw new ProbeFault('authentication_failed', 'The proxy does not accept the credentials.');
}
