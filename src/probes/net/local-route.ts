import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { errorCode, ProbeFault } from './probe-fault.js';

/** Codes of system errors by which this machine says that it has no way to an address, or none of its own to leave from. */
const NO_WAY_OUT = new Set(['ENETUNREACH', 'ENETDOWN', 'ENONET', 'EADDRNOTAVAIL', 'EAFNOSUPPORT']);
/** Any: nothing is sent to it. */
const PORT = 9;

/** Whether an error may say that this machine has no way out. `hasRoute` tells: a router far away can say the same. */
export function mayBeNoWayOut(error: unknown): boolean {
  return NO_WAY_OUT.has(errorCode(error));
}

/** Whether this machine's own tables have a way to an IP address. Sends nothing, and asks nobody. Never rejects. */
export function hasRoute(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
    const end = (error?: unknown): void => {
      resolve(!mayBeNoWayOut(error));
      socket.close();
    };
    socket.once('error', end);
    // A datagram socket is connected by a look-up of the route alone.
    socket.connect(PORT, address, end);
  });
}

/**
 * Whether this machine has a way to any of these name servers (`address`, `address:port` or `[address]:port`). For when
 * none of them has answered: on the good path it would be wasted. Never rejects.
 */
export async function anyServerHasRoute(servers: readonly string[]): Promise<boolean> {
  const routed = await Promise.all(servers.map((server) => hasRoute(serverAddress(server))));
  return routed.length === 0 || routed.includes(true);
}

function serverAddress(server: string): string {
  return /^(?:\[(.*)\]|([\d.]+))(?::\d+)?$/.exec(server)?.slice(1).find(Boolean) ?? server;
}

/** The fault of a check that found no way out of this machine: it says nothing about the target. */
export function noWayOut(to: string): ProbeFault {
  return new ProbeFault('network_unavailable', `The machine that checks has no network route to ${to}.`);
}
