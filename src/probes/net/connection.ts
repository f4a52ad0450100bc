import { connect, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { type Deadline } from '../deadline.js';
import { hasRoute, mayBeNoWayOut, noWayOut } from './local-route.js';
import { errorCode, isOwnFault, ProbeFault } from './probe-fault.js';

/** Head start of one address over the next (RFC 8305, section 8, recommends 250 ms). */
const ATTEMPT_LEAD_MS = 250;
const MAX_ATTEMPTS = 8;

export interface Connection {
  socket: Socket;
  /** The address of the peer. */
  address: string;
}

/**
 * Connects to the first address that answers. Tries the addresses in order, and starts the next attempt when one fails
 * or has not answered for 250 ms. Rejects with a `ProbeFault` (`connect_refused`, `connect_timeout`, `connect_failed`)
 * about the first address with a route, with `network_unavailable` if none has a route, or with the original error if
 * it is a fault of this machine. Closes all sockets except the returned one.
 */
export async function connectToAny(
  addresses: readonly string[],
  port: number,
  deadline: Deadline,
): Promise<Connection> {
  try {
    return await race(addresses, port, deadline);
  } catch (failure) {
    throw failure instanceof AllFailed ? await faultOf(failure.errors) : failure;
  }
}

/** Contains the error of each failed attempt, in order. */
class AllFailed extends Error {
  constructor(readonly errors: readonly unknown[]) {
    super('no connection could be made');
  }
}

/** Connects to the first address that answers. Rejects with `AllFailed`. */
function race(addresses: readonly string[], port: number, deadline: Deadline): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const attempts = new Set<Socket>();
    const waiting = addresses.slice(0, MAX_ATTEMPTS);
    const errors: unknown[] = [];
    let lead: NodeJS.Timeout | undefined;

    const finish = (winner?: Socket): void => {
      clearTimeout(lead);
      deadline.off(onDeadline);
      for (const socket of attempts) if (socket !== winner) socket.destroy();
      attempts.clear(); // From now on, an error does not count as a failed attempt.
    };
    const fail = (...last: unknown[]): void => {
      finish();
      reject(new AllFailed([...errors, ...last]));
    };
    // At least one attempt was pending or not started, so the timeout counts as its error.
    const onDeadline = (): void => fail(new ProbeFault('connect_timeout', 'The connection timed out.'));
    const tryNext = (): void => {
      clearTimeout(lead);
      const address = waiting.shift();
      if (address === undefined) {
        if (attempts.size === 0) fail();
        return;
      }
      const socket = connect({ host: address, port });
      attempts.add(socket);
      socket.on('error', (error) => {
        if (!attempts.delete(socket)) return;
        errors.push(error);
        tryNext();
      });
      socket.once('connect', () => {
        finish(socket);
        resolve({ socket, address });
      });
      if (waiting.length > 0) lead = setTimeout(tryNext, ATTEMPT_LEAD_MS);
    };

    if (deadline.isOver) return onDeadline();
    deadline.on(onDeadline);
    tryNext();
  });
}

/**
 * Returns the fault that follows from the errors of all attempts, in order: the first error that concerns the target,
 * otherwise that this machine has no route. `isRouted` returns whether this machine has a route to an address.
 */
export async function faultOf(
  errors: readonly unknown[],
  isRouted: (address: string) => Promise<boolean> = hasRoute,
): Promise<Error> {
  for (const error of errors) if (!mayBeNoWayOut(error)) return meaningOf(error);
  for (const error of errors) if (await isRouted(addressOf(error))) return meaningOf(error);
  return noWayOut('the address of this target');
}

function meaningOf(error: unknown): Error {
  if (error instanceof ProbeFault || isOwnFault(error)) return error as Error;
  switch (errorCode(error)) {
    case 'ECONNREFUSED':
      return new ProbeFault('connect_refused', 'The connection was refused.');
    case 'ETIMEDOUT':
      return new ProbeFault('connect_timeout', 'The connection timed out.');
    default:
      return new ProbeFault('connect_failed', `The connection failed (${errorCode(error) || 'unknown error'}).`);
  }
}

/** Returns the address of a failed connection, which Node adds to the error. */
function addressOf(error: unknown): string {
  return (error as { address?: string }).address ?? '';
}

/**
 * Closes a socket immediately, with a reset if possible: an orderly close would leave TIME_WAIT entries on this
 * machine, with which each connect takes several times as long. Never throws, and ignores later errors of the socket.
 * Does not reset a socket that has begun to close, because libuv refuses that, and Node then leaks the descriptor.
 */
export function closeSocket(socket: Socket): void {
  socket.on('error', () => undefined);
  const resettable = !(socket instanceof TLSSocket || socket.connecting || socket.destroyed || socket.writableEnded);
  if (resettable) socket.resetAndDestroy();
  else socket.destroy();
}
