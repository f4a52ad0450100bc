import { promises as dns } from 'node:dns';
import { type Socket } from 'node:net';
import { within } from '../deadline.js';
import { plainRequest } from '../http/plain-request.js';
import { withLength } from '../net/bytes.js';
import { connectToAny } from '../net/connection.js';
import { Conversation, converse } from '../net/conversation.js';
import { askByDatagram } from '../net/datagram.js';
import { ProbeFault } from '../net/probe-fault.js';
import { Observation } from '../observation.js';
import { PhaseClock } from '../phase-clock.js';
import { type ProbeContext } from '../probe.js';
import { type DnsQuery, dnsQuery, type DnsReply, readReply } from './dns-message.js';
import { type EncryptedServer, type NameServer, parseNameServer } from './name-server.js';
import { type Question } from './record-query.js';

const MEDIA_TYPE = 'application/dns-message';
const OK = 200;

/** Asks over DNS over TLS (RFC 7858) or DNS over HTTPS (RFC 8484). @throws ProbeFault */
export async function askEncrypted(
  question: Question,
  server: EncryptedServer,
  seen: Observation,
  context: ProbeContext,
): Promise<DnsReply> {
  // RFC 8484, section 4.1: with the same id, caches can answer.
  const query = dnsQuery(question, 'url' in server ? 0 : undefined);
  const response =
    'url' in server
      ? await overHttps(server.url, query, seen, context)
      : await converse({ ...server, tls: { verifyTls: true } }, seen, context, (conversation) =>
          overStream(conversation, query),
        );
  return readReply(response, query) ?? unrelated();
}

async function overHttps(
  server: URL,
  { message }: DnsQuery,
  seen: Observation,
  context: ProbeContext,
): Promise<Buffer> {
  const url = new URL(server);
  url.searchParams.set('dns', message.toString('base64url'));
  const hop = { url, method: 'GET', headers: { Accept: MEDIA_TYPE }, secretHeaders: [], body: null };
  const { statusCode, headers, body } = await plainRequest(hop, seen, context, { http2: true });
  seen.statusCode = statusCode;
  if (statusCode !== OK) {
    throw new ProbeFault('dns_failed', `The name server answered with the HTTP status ${statusCode}.`);
  }
  if (headers['content-type']?.[0] !== MEDIA_TYPE) {
    throw new ProbeFault('dns_failed', 'The response of the name server is not a DNS message.');
  }
  return body;
}

/** Sends a query over a connection, on which messages follow their length. */
async function overStream(conversation: Conversation, { message }: DnsQuery): Promise<Buffer> {
  conversation.send(withLength(message));
  const length = (await conversation.bytes(2)).readUInt16BE();
  return conversation.bytes(length);
}

/**
 * Asks by datagrams, and over TCP for a response that is too long for one. Where a server gives no usable response in its
 * share of the time, asks the next one. Which servers may be asked is for the caller to decide. @throws ProbeFault
 */
export async function askPlain(
  question: Question,
  servers: readonly NameServer[],
  context: ProbeContext,
): Promise<DnsReply> {
  const timeoutMs = context.timeoutMs / servers.length;
  for (const server of servers.slice(0, -1)) {
    try {
      return await within(context.deadline, timeoutMs, (deadline) =>
        askServer(question, server, { ...context, timeoutMs, deadline }),
      );
    } catch (error) {
      if (!(error instanceof ProbeFault)) throw error;
    }
  }
  const last = servers.at(-1);
  if (!last) throw new Error('this machine has no name server');
  return askServer(question, last, { ...context, timeoutMs });
}

async function askServer(question: Question, { address, port }: NameServer, context: ProbeContext): Promise<DnsReply> {
  const query = dnsQuery(question);
  const request = (): Buffer => query.message;
  const ask = { address, port, request, timeoutMs: context.timeoutMs };
  const reply = await askByDatagram(ask, context.deadline, (response) => readReply(response, query));
  if (!reply.isTruncated) return reply;
  // Not by way of the egress, whose rules do not apply to the servers of the system.
  const { socket } = await connectToAny([address], port, context.deadline);
  const response = await overTcp(socket, address, query, context);
  return readReply(response, query) ?? unrelated();
}

async function overTcp(socket: Socket, host: string, query: DnsQuery, context: ProbeContext): Promise<Buffer> {
  const conversation = new Conversation(socket, host, new Observation(new PhaseClock(), []), context);
  try {
    return await overStream(conversation, query);
  } finally {
    await conversation.close();
  }
}

/** Returns the name servers of the system. Only there may an address have a zone: `fe80::1%eth0`. */
export function systemServers(texts: readonly string[] = new dns.Resolver().getServers()): NameServer[] {
  return texts.flatMap((text) => {
    const [zone = ''] = /%[^\]]+/.exec(text) ?? [];
    const server = parseNameServer(text.replace(zone, ''));
    return server ? { ...server, address: server.address + zone } : [];
  });
}

function unrelated(): never {
  throw new ProbeFault('dns_failed', 'The response of the name server is about another query.');
}
