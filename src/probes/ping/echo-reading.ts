/** The result of running `fping` or `ping`. */
export type EchoReading =
  /** The round-trip times of the requests that were answered, in the order of the replies; at least one. */
  | { kind: 'reply'; roundTripsMs: number[] }
  /** Requests were sent, but no reply arrived in time. */
  | { kind: 'lost' }
  /** The requests could not be sent, or a router reported that there is no route. */
  | { kind: 'unreachable' }
  /** The program itself failed, for example because it lacks the permission to open its socket. */
  | { kind: 'failed' };

/** The number of the request, and the round-trip time. */
const REPLY = /(?:seq=(\d+) .*time[=<]|\[(\d+)\], \d+ bytes, )(\d+(?:[.,]\d+)?) ?ms/g;
const NO_WAY = /unreachable|no route to host|cannot assign requested address|ping broadcast/i;
const NO_ANSWER = /timed out|100(\.0)?% packet loss/;
/** fping counts a request that it could not send as lost, but does not report a timeout for it. */
const NOT_SENT = /= \d+\/0\/100%/;

/**
 * Parses the output, in locale C, of fping 4 and 5 and of the ping programs of iputils, inetutils, BusyBox and macOS.
 */
export function readEcho(stdout: string, stderr: string): EchoReading {
  const firstMs = new Map<string, number>();
  for (const [, seq, index, ms] of stdout.matchAll(REPLY)) {
    const request = (seq ?? index)!;
    // A network may duplicate replies, which some versions of fping do not mark.
    if (!firstMs.has(request)) firstMs.set(request, Number(ms!.replace(',', '.')));
  }
  if (firstMs.size > 0) return { kind: 'reply', roundTripsMs: [...firstMs.values()] };
  if (NO_WAY.test(stdout) || NO_WAY.test(stderr)) return { kind: 'unreachable' };
  if (NO_ANSWER.test(stdout)) return { kind: 'lost' };
  return { kind: NOT_SENT.test(stderr) ? 'unreachable' : 'failed' };
}
