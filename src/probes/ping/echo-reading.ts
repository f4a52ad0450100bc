/** The result of running `fping` or `ping`. */
export type EchoReading =
  /** The round-trip times of the requests that were answered, in order; at least one. */
  | { kind: 'reply'; roundTripsMs: number[] }
  /** Requests were sent, but no reply arrived in time. */
  | { kind: 'lost' }
  /** The requests could not be sent, or a router reported that there is no route. */
  | { kind: 'unreachable' }
  /** The program itself failed, for example because it lacks the permission to open its socket. */
  | { kind: 'failed' };

const REPLY = /(?:time[=<]|bytes, )(\d+(?:[.,]\d+)?) ?ms/g;
const NO_WAY = /unreachable|no route to host|cannot assign requested address|ping broadcast/i;
const NO_ANSWER = /timed out|100(\.0)?% packet loss/;
/** fping counts a request that it could not send as lost, but does not report a timeout for it. */
const NOT_SENT = /= \d+\/0\/100%/;

/**
 * Parses the output, in locale C, of fping 4 and 5 and of the ping programs of iputils, inetutils, BusyBox and macOS.
 */
export function readEcho(stdout: string, stderr: string): EchoReading {
  const roundTripsMs = [...stdout.matchAll(REPLY)].map(([, ms]) => Number(ms!.replace(',', '.')));
  if (roundTripsMs.length > 0) return { kind: 'reply', roundTripsMs };
  if (NO_WAY.test(stdout) || NO_WAY.test(stderr)) return { kind: 'unreachable' };
  if (NO_ANSWER.test(stdout)) return { kind: 'lost' };
  return { kind: NOT_SENT.test(stderr) ? 'unreachable' : 'failed' };
}
