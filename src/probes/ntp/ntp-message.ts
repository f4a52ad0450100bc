import { randomBytes } from 'node:crypto';
import { ProbeFault } from '../net/probe-fault.js';

/** The time of a server (RFC 5905). */
export interface NtpReading {
  stratum: number;
  isSynchronized: boolean;
  /** The server's clock minus ours, in milliseconds, if the message takes as long to the server as back. */
  offsetMs: number;
  /** How long the messages took both ways, including any delay of this process, in milliseconds. */
  roundTripMs: number;
}

const LENGTH = 48;
const VERSION_4_CLIENT = 0x23;
const SERVER_MODE = 4;
const UNSYNCHRONIZED = 3;
const MAX_STRATUM = 15;
/** Where the times of a message stand. */
const ORIGIN_AT = 24;
const RECEIVE_AT = 32;
const TRANSMIT_AT = 40;
/** Seconds from 1900 to 1970. */
const NTP_EPOCH_S = 2_208_988_800;
const ERA_S = 2 ** 32;

/**
 * Returns a request. Instead of our time, which a server only repeats, it contains random bits, so that nobody can forge
 * a response without having seen the request (draft-ietf-ntp-data-minimization).
 */
export function ntpRequest(): { message: Buffer; nonce: string } {
  const message = Buffer.alloc(LENGTH);
  message[0] = VERSION_4_CLIENT;
  const nonce = randomBytes(8);
  nonce.copy(message, TRANSMIT_AT);
  return { message, nonce: nonce.toString('hex') };
}

/**
 * Returns the time in a response, or `null` if it does not belong to a request in `sent`, which has the times at which
 * they were sent by their nonces. @throws ProbeFault if the server refuses to respond
 */
export function readNtp(response: Buffer, sent: ReadonlyMap<string, number>, receivedMs: number): NtpReading | null {
  if (response.length < LENGTH || (response[0]! & 7) !== SERVER_MODE) return null;
  const sentMs = sent.get(response.subarray(ORIGIN_AT, ORIGIN_AT + 8).toString('hex'));
  if (sentMs === undefined) return null;
  const [leap, stratum] = [response[0]! >> 6, response[1]!];
  if (stratum === 0) {
    const code = response.toString('latin1', 12, 16).replace(/[^A-Z0-9]/g, '');
    throw new ProbeFault('unexpected_response', `The server refused to respond (kiss code ${code || 'unknown'}).`);
  }
  const [arrivedMs, answeredMs] = [RECEIVE_AT, TRANSMIT_AT].map((at) => timeAt(response, at, receivedMs));
  const offsetMs = (arrivedMs! - sentMs + (answeredMs! - receivedMs)) / 2;
  const ownMs = Math.max(0, answeredMs! - arrivedMs!);
  const roundTripMs = Math.max(0, receivedMs - sentMs - ownMs);
  return { stratum, isSynchronized: leap !== UNSYNCHRONIZED && stratum <= MAX_STRATUM, offsetMs, roundTripMs };
}

/** Returns a time of a message in epoch milliseconds, in the era that is closest to `nearMs`. */
function timeAt(message: Buffer, at: number, nearMs: number): number {
  const seconds = message.readUInt32BE(at) + message.readUInt32BE(at + 4) / ERA_S - NTP_EPOCH_S;
  const eras = Math.round((nearMs / 1_000 - seconds) / ERA_S);
  return (seconds + eras * ERA_S) * 1_000;
}
