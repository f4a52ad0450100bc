import { setImmediate } from 'node:timers/promises';
import { type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { type Observation } from '../observation.js';
import { type ProbeContext } from '../probe.js';
import { type SecureOptions } from './egress.js';
import { closeSocket } from './connection.js';
import { isIpLiteral, parseHost } from './host-literal.js';
import { type IpVersion } from './name-resolver.js';

/** A server, and whether its certificate must be trusted, not expired, and issued for the host. */
export interface SecureHost extends Pick<SecureOptions, 'protocols' | 'identity' | 'onStaple'> {
  host: string;
  verifyTls: boolean;
}

/** Where a URL leads: its host without brackets, and its port or that of its scheme. */
export interface UrlEndpoint {
  host: string;
  port: number;
  isSecure: boolean;
}

/** Returns the endpoint of an http, https, ws or wss URL. */
export function endpointOf({ hostname, port, protocol }: URL): UrlEndpoint {
  const isSecure = protocol === 'https:' || protocol === 'wss:';
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (isSecure ? 443 : 80), isSecure };
}

export type Means = Pick<ProbeContext, 'egress' | 'deadline' | 'onCertificate'>;

/**
 * Connects to a port of a host, at an address of the given version or of either, and records the phases and the address.
 * Rejects with a `ProbeFault`.
 */
export async function dial(
  host: string,
  port: number,
  seen: Observation,
  { egress, deadline }: Means,
  version: IpVersion | null = null,
): Promise<Socket> {
  const addresses = await egress.resolve(host, deadline, version);
  if (!isIpLiteral(host)) seen.clock.lap('dnsMs');
  const { socket, address } = await egress.connect(addresses, port, deadline);
  seen.clock.lap('connectMs');
  seen.remoteAddress = address;
  return socket;
}

/** Returns the first address of a host that checks may send datagrams to at this port, and records it. */
export async function locate(
  host: string,
  port: number,
  seen: Observation,
  { egress, deadline }: Means,
): Promise<string> {
  const [address] = await egress.reachable(await egress.resolve(host, deadline), port, deadline);
  if (!isIpLiteral(host)) seen.clock.lap('dnsMs');
  return (seen.remoteAddress = address!);
}

/**
 * Performs a TLS handshake on a socket of `dial`, and records its phase and what assertions need of it. Rejects with a
 * `ProbeFault`, and then closes the socket.
 */
export async function secure(
  socket: Socket,
  { host, verifyTls, ...options }: SecureHost,
  seen: Observation,
  { egress, deadline, onCertificate }: Means,
): Promise<TLSSocket> {
  const meaning = parseHost(host);
  if (meaning.kind === 'invalid') throw new Error('the host is not valid, so nothing can be connected to it');
  const name = meaning.kind === 'name' ? meaning.name : meaning.address;
  const server = { ...options, host: name, verify: verifyTls, onCertificate };
  const secured = await egress.secure(socket, server, deadline);
  seen.clock.lap('tlsMs');
  seen.noteTls(secured);
  return secured;
}

/**
 * Closes the connection at the end of a check: the plain socket, because only that one can be reset. A TLS socket on top
 * of it closes with it.
 */
export async function hangUp(socket: Socket, secured: Socket = socket): Promise<void> {
  // This may run inside OpenSSL's handshake. Only after it, the last message is sent and closing is safe.
  if (secured instanceof TLSSocket) await setImmediate();
  closeSocket(socket);
}
