import { type AddressInfo } from 'node:net';

/** Returns the origin at which a server with this address can be reached from this machine. */
export function originOf({ address, port, family }: AddressInfo): string {
  const host = ['0.0.0.0', '::'].includes(address) ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}
