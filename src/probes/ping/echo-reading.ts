/** What a run of `fping` or `ping` with one echo says. */
export type EchoReading =
  | { kind: 'reply'; roundTripMs: number }
  /** It was sent, and nothing came back in time. */
  | { kind: 'lost' }
  /** It could not be sent, or a router said that there is no way. */
  | { kind: 'unreachable' }
  /** The program itself could not work, as where it may not open its socket. */
  | { kind: 'failed' };

const REPLY = /(?:time[=<]|bytes, )(\d+(?:[.,]\d+)?) ?ms/;
const NO_WAY = /unreachable|no route to host|cannot assign requested address|ping broadcast/i;
const NO_ANSWER = /timed out|100(\.0)?% packet loss/;
/** fping counts what it could not send as lost, but then does not say that it timed out. */
const NOT_SENT = /= 1\/0\/100%/;

/** Reads the output, in the language of locale C, of fping 4 and 5 and of the pings of iputils, inetutils, BusyBox and macOS. Pure. */
export function readEcho(stdout: string, stderr: string): EchoReading {
  const [, roundTrip] = REPLY.exec(stdout) ?? [];
  if (roundTrip !== undefined) return { kind: 'reply', roundTripMs: Number(roundTrip.replace(',', '.')) };
  if (NO_WAY.test(stdout) || NO_WAY.test(stderr)) return { kind: 'unreachable' };
  if (NO_ANSWER.test(stdout)) return { kind: 'lost' };
  return { kind: NOT_SENT.test(stderr) ? 'unreachable' : 'failed' };
}
