import { isIP } from 'node:net';

/** Returns the origin at which a server that listens on this address can be reached from this machine. */
export function originOf({ address, port }: { address: string; port: number }): string {
  const host = ['0.0.0.0', '::'].includes(address) ? 'localhost' : isIP(address) === 6 ? `[${address}]` : address;
  return `http://${host}:${port}`;
}
