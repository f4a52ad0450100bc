import { type AddressInfo } from 'node:net';

/** Where people reach a server that listens there, from this machine. */
export function originOf({ address, port, family }: AddressInfo): string {
  const host = ['0.0.0.0', '::'].includes(address) ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}
