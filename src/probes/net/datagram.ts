import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { type Deadline } from '../deadline.js';
import { mayBeNoWayOut, noWayOut } from './local-route.js';
import { errorCode, isOwnFault, ProbeFault } from './probe-fault.js';

/** How often a request is sent until a response arrives, since a datagram may be lost. */
const TRIES = 3;

export interface DatagramRequest {
  /** An address that checks may reach at this port. */
  address: string;
  port: number;
  /** Returns the content of the next datagram. */
  request: () => Buffer;
  /** Until when to wait, from now. Datagrams are sent again within the first half. */
  timeoutMs: number;
}

/**
 * Sends a datagram and resolves with what `accept` returns for the first response that it does not return `null` for.
 * Only responses of that address and port count. Rejects with a `ProbeFault` (`timeout`, `connect_refused`,
 * `connect_failed`, `network_unavailable`), or with the error that `accept` throws.
 */
export function askByDatagram<T>(
  { address, port, request, timeoutMs }: DatagramRequest,
  deadline: Deadline,
  accept: (response: Buffer) => T | null,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
    let again: NodeJS.Timeout | undefined;
    const finish = (): void => {
      clearInterval(again);
      deadline.off(onDeadline);
      socket.removeAllListeners().on('error', () => undefined);
      socket.close();
    };
    const fail = (error: unknown): void => {
      finish();
      reject(faultOf(error));
    };
    const onDeadline = (): void => fail(new ProbeFault('timeout', 'No response was received before the timeout.'));
    const send = (): void => socket.send(request(), (error) => error && fail(error));
    socket.once('error', fail);
    socket.on('message', (response) => {
      try {
        const accepted = accept(response);
        if (accepted === null) return;
        finish();
        resolve(accepted);
      } catch (error) {
        fail(error);
      }
    });
    socket.once('connect', () => {
      send();
      let sent = 1;
      again = setInterval(
        () => {
          send();
          sent += 1;
          if (sent === TRIES) clearInterval(again);
        },
        timeoutMs / (2 * TRIES),
      );
    });
    if (deadline.isOver) return onDeadline();
    deadline.on(onDeadline);
    socket.connect(port, address);
  });
}

function faultOf(error: unknown): Error {
  if (error instanceof ProbeFault || isOwnFault(error)) return error as Error;
  if (mayBeNoWayOut(error)) return noWayOut('the address of this target');
  const code = errorCode(error);
  if (code === 'ECONNREFUSED') return new ProbeFault('connect_refused', 'The port is closed (ICMP port unreachable).');
  if (code === '') return error as Error;
  return new ProbeFault('connect_failed', `The datagram could not be sent (${code}).`);
}
