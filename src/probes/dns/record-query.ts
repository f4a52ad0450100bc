import { promises as dns } from 'node:dns';
import { type Deadline } from '../deadline.js';
import { anyServerHasRoute, noWayOut } from '../net/local-route.js';
import { isOwnFault, errorCode, ProbeFault } from '../net/probe-fault.js';
import { caaText, mxText, nameText, soaText, srvText, txtText } from './record-text.js';

type Ask = (servers: dns.Resolver, name: string) => Promise<string[]>;

const ASK = {
  A: (servers, name) => servers.resolve4(name),
  AAAA: (servers, name) => servers.resolve6(name),
  CNAME: async (servers, name) => (await servers.resolveCname(name)).map(nameText),
  MX: async (servers, name) => (await servers.resolveMx(name)).map(mxText),
  NS: async (servers, name) => (await servers.resolveNs(name)).map(nameText),
  TXT: async (servers, name) => (await servers.resolveTxt(name)).map(txtText),
  SRV: async (servers, name) => (await servers.resolveSrv(name)).map(srvText),
  CAA: async (servers, name) => (await servers.resolveCaa(name)).map(caaText),
  SOA: async (servers, name) => [soaText(await servers.resolveSoa(name))],
  PTR: async (servers, name) => (await servers.resolvePtr(name)).map(nameText),
} satisfies Record<string, Ask>;

export type RecordType = keyof typeof ASK;
export const RECORD_TYPES = Object.keys(ASK) as RecordType[];

export interface Question {
  /** In lower-case ASCII, without the final dot. */
  name: string;
  type: RecordType;
}

const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);
/** Number of times that the query is sent, since a datagram may be lost; the growing waits fill the time limit. */
const TRIES = 3;
const FIRST_WAIT_SHARE = 4;

/**
 * Returns the records from a name server (`address:port`; `null` means those of the system) as texts; an empty list if
 * the name or the type does not exist. Rejects with a `ProbeFault`: `timeout`, `dns_failed` or `network_unavailable`.
 * Creates a new resolver for each query, because c-ares caches responses per resolver.
 */
export async function queryRecords(
  { name, type }: Question,
  server: string | null,
  { timeoutMs, deadline }: { timeoutMs: number; deadline: Deadline },
): Promise<string[]> {
  const servers = new dns.Resolver({ timeout: Math.ceil(timeoutMs / FIRST_WAIT_SHARE), tries: TRIES });
  if (server !== null) servers.setServers([server]);
  const onDeadline = (): void => servers.cancel();
  deadline.on(onDeadline);
  try {
    if (deadline.isOver) throw new Error('the deadline has passed');
    return await ASK[type](servers, name);
  } catch (error) {
    if (ABSENT.has(errorCode(error))) return [];
    if (isOwnFault(error)) throw error;
    throw (await anyServerHasRoute(servers.getServers())) ? faultOf(error, deadline) : noWayOut('a name server');
  } finally {
    deadline.off(onDeadline);
  }
}

function faultOf(error: unknown, deadline: Deadline): ProbeFault {
  const code = errorCode(error);
  if (deadline.isOver || code === 'ETIMEOUT') {
    return new ProbeFault('timeout', 'The DNS query timed out.');
  }
  return new ProbeFault('dns_failed', `The name server returned no usable answer (${code || 'unknown error'}).`);
}
