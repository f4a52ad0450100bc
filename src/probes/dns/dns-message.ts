import { randomInt } from 'node:crypto';
import {
  type Answer,
  AUTHENTIC_DATA,
  type CaaData,
  decode,
  type DecodedPacket,
  encode,
  type MxData,
  RECURSION_DESIRED,
  type SoaData,
  type SrvData,
  type TxtData,
} from 'dns-packet';
import { canonicalAddress } from '../net/host-literal.js';
import { ProbeFault } from '../net/probe-fault.js';
import { type Question, type RecordType } from './record-query.js';
import { caaText, mxText, nameText, soaText, srvText, txtText } from './record-text.js';

const NOT_FOUND = 'NXDOMAIN';
const NO_ERROR = 'NOERROR';

/** A query as it is sent. */
export interface DnsQuery extends Question {
  id: number;
  message: Buffer;
}

/** What a name server has answered. */
export interface DnsReply {
  /** The records of the queried type, as texts. */
  records: string[];
  /** Whether the server states that it has verified them with DNSSEC. */
  isAuthenticated: boolean;
  /** Whether the response was too long for a datagram, and has to be asked for over TCP. */
  isTruncated: boolean;
}

/** Makes a query for records, which also asks whether they are authenticated (RFC 6840, section 5.7). */
export function dnsQuery({ name, type }: Question, id = randomInt(65_536)): DnsQuery {
  const flags = RECURSION_DESIRED | AUTHENTIC_DATA;
  return { name, type, id, message: encode({ type: 'query', id, flags, questions: [{ type, name }] }) };
}

/**
 * Reads the response to a query. Returns `null` if the message is not about it. Rejects codes other than success and
 * absence. @throws ProbeFault `dns_failed`
 */
export function readReply(response: Buffer, { id, name, type }: DnsQuery): DnsReply | null {
  const { packet, records } = decoded(response, type);
  if (packet.id !== id || packet.type !== 'response') return null;
  const [question] = packet.questions ?? [];
  if (question && (nameText(question.name) !== nameText(name) || question.type !== type)) return null;
  const { rcode } = packet as DecodedPacket & { rcode: string };
  if (rcode !== NO_ERROR && rcode !== NOT_FOUND) {
    throw new ProbeFault('dns_failed', `The name server returned no usable answer (${rcode}).`);
  }
  return { records, isAuthenticated: packet.flag_ad, isTruncated: packet.flag_tc };
}

/** Decodes a message of an untrusted server, and its records of a type. */
function decoded(response: Buffer, type: RecordType): { packet: DecodedPacket; records: string[] } {
  try {
    const packet = decode(response);
    const records = (packet.answers ?? []).filter((answer) => answer.type === type).map(textOf);
    return { packet, records };
  } catch {
    throw new ProbeFault('dns_failed', 'The response of the name server is not a valid message.');
  }
}

/** How the data of a record becomes a text, in the same form as that of records that Node decodes. */
const TEXTS = {
  A: canonicalAddress,
  AAAA: canonicalAddress,
  CNAME: nameText,
  MX: ({ preference = 0, exchange }: MxData) => mxText({ priority: preference, exchange }),
  NS: nameText,
  TXT: (data: TxtData) => txtText([data].flat().map((part) => Buffer.from(part).toString('latin1'))),
  SRV: ({ priority = 0, weight = 0, port, target }: SrvData) => srvText({ priority, weight, port, name: target }),
  CAA: ({ flags = 0, tag, value }: CaaData) => {
    return caaText({ critical: flags, [tag]: Buffer.from(value).toString('latin1') });
  },
  SOA: ({ mname, rname, serial = 0, refresh = 0, retry = 0, expire = 0, minimum = 0 }: SoaData) => {
    return soaText({ nsname: mname, hostmaster: rname, serial, refresh, retry, expire, minttl: minimum });
  },
  PTR: nameText,
} satisfies Record<RecordType, (data: never) => string>;

function textOf(answer: Answer): string {
  const { type, data } = answer as { type: RecordType; data: unknown };
  return (TEXTS[type] as (data: unknown) => string)(data);
}
