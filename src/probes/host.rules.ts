import { isIPv6 } from 'node:net';
import { parseHost } from './net/host-literal.js';

/** Returns what is wrong with a host to connect to, or `null`. Values of other types pass. */
export function hostProblem(value: unknown): string | null {
  return typeof value === 'string' && parseHost(value).kind === 'invalid'
    ? 'must be a host name or an IP address, without scheme, port or path'
    : null;
}

/** Returns `host:port`, with an IPv6 address in brackets. */
export function shownEndpoint(host: string, port: number): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}
