import { type Socket } from 'node:net';
import { dial, endpointOf, type Means, secure } from '../net/dial.js';
import { type ClientIdentity } from '../net/egress.js';
import { type IpVersion } from '../net/name-resolver.js';
import { type Observation } from '../observation.js';
import { type Proxy, tunnel } from './proxy.js';

/** How to connect to the server of a URL. */
export interface ConnectionOptions {
  verifyTls: boolean;
  /** Whether HTTP/2 is offered, besides HTTP/1.1. */
  http2?: boolean;
  ipVersion?: IpVersion | null;
  /** The certificate to present if the server asks for one. */
  identity?: ClientIdentity | null;
  proxy?: Proxy | null;
}

/**
 * Opens a connection for a request to a URL: with TLS if it is https, and through the proxy if there is one. Over plain
 * http, a proxy expects the request itself. Records the phases and the address. Rejects with a `ProbeFault`.
 */
export async function openConnection(
  url: URL,
  { verifyTls, http2 = false, ipVersion = null, identity = null, proxy = null }: ConnectionOptions,
  seen: Observation,
  context: Means,
): Promise<Socket> {
  const { host, port, isSecure } = endpointOf(url);
  const next = proxy ? endpointOf(proxy.url) : { host, port };
  if (proxy) await context.egress.permits(host, port, context.deadline);
  const socket = await dial(next.host, next.port, seen, context, ipVersion);
  if (!isSecure) return socket;
  if (proxy) await tunnel(socket, url, proxy, seen, context);
  const protocols = http2 ? ['h2', 'http/1.1'] : ['http/1.1'];
  return secure(socket, { host, verifyTls, protocols, identity }, seen, context);
}
