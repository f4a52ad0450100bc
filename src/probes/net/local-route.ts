import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { errorCode, ProbeFault } from './probe-fault.js';

/** Codes of system errors that mean that this machine has no route to an address, or no source address for it. */
const NO_WAY_OUT = new Set(['ENETUNREACH', 'ENETDOWN', 'ENONET', 'EADDRNOTAVAIL', 'EAFNOSUPPORT']);
/** An arbitrary port: nothing is sent to it. */
const PORT = 9;

/**
 * Returns whether an error can mean that this machine has no route. A remote router can cause it too; see `hasRoute`.
 */
export function mayBeNoWayOut(error: unknown): boolean {
  return NO_WAY_OUT.has(errorCode(error));
}

/** Returns whether this machine's own routing tables have a route to an IP address. Sends nothing. Never rejects. */
export function hasRoute(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
    const end = (error?: unknown): void => {
      resolve(!mayBeNoWayOut(error));
      socket.close();
    };
    socket.once('error', end);
    // Connecting a datagram socket only looks up the route.
    socket.connect(PORT, address, end);
  });
}

/**
 * Returns whether this machine has a route to any of these name servers (`address`, `address:port` or
 * `[address]:port`). Intended for when none of them has answered, to avoid the cost otherwise. Never rejects.
 */
export async function anyServerHasRoute(servers: readonly string[]): Promise<boolean> {
  const routed = await Promise.all(servers.map((server) => hasRoute(serverAddress(server))));
  return routed.length === 0 || routed.includes(true);
}

function serverAddress(server: string): string {
  return /^(?:\[(.*)\]|([\d.]+))(?::\d+)?$/.exec(server)?.slice(1).find(Boolean) ?? server;
}

/** Returns the fault of a check for which this machine had no route, which proves nothing about the target. */
export function noWayOut(to: string): ProbeFault {
  return new ProbeFault('network_unavailable', `The machine that runs checks has no network route to ${to}.`);
}
