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
  /** The address that was connected to. */
  address: string;
}

/**
 * Connects to the first of the addresses that answers, in their order: the next one is tried when one fails, or has
 * not answered for 250 ms. Rejects with a `ProbeFault` (`connect_refused`, `connect_timeout`, `connect_failed`) about
 * the first address to which there is a way, `network_unavailable` where there is a way to none, or with the error
 * itself where it is a fault of this machine. Leaves nothing open but the winner.
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

/** Of each attempt that failed, the error, in their order. */
class AllFailed extends Error {
  constructor(readonly errors: readonly unknown[]) {
    super('no connection could be made');
  }
}

/** Rejects with `AllFailed`. */
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
      attempts.clear(); // From here on an error is no longer a failed attempt.
    };
    const fail = (...last: unknown[]): void => {
      finish();
      reject(new AllFailed([...errors, ...last]));
    };
    // Some attempt was still waiting, or not made: that is the last thing known of the target.
    const onDeadline = (): void =>
      fail(new ProbeFault('connect_timeout', 'No connection was made within the time limit.'));
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
 * What the errors of all attempts say, in their order: the first one that is about the target, else that this machine
 * has no way out. `isRouted`: whether this machine has a way to an address.
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
      return new ProbeFault('connect_timeout', 'No connection was made within the time limit.');
    default:
      return new ProbeFault('connect_failed', `No connection could be made (${errorCode(error) || 'unknown error'}).`);
  }
}

/** Node notes with the error of a connection which address it was to. */
function addressOf(error: unknown): string {
  return (error as { address?: string }).address ?? '';
}

/**
 * Closes at once, with a reset where the socket allows it: after an orderly close TIME_WAIT entries pile up here, and
 * each connect costs several times as much. Never throws; later errors of the socket are swallowed. A socket that has
 * begun to close is not reset: libuv refuses that, and Node then loses the descriptor.
 */
export function closeSocket(socket: Socket): void {
  socket.on('error', () => undefined);
  const resettable = !(socket instanceof TLSSocket || socket.connecting || socket.destroyed || socket.writableEnded);
  if (resettable) socket.resetAndDestroy();
  else socket.destroy();
}
