import { promises as dns, type RecordWithTtl } from 'node:dns';
import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { HostsFile } from './hosts-file.js';
import { anyServerHasRoute, noWayOut } from './local-route.js';
import { errorCode, ProbeFault } from './probe-fault.js';
import { type Answer, SharedAnswers } from './shared-answers.js';

/** A version of the Internet Protocol. */
export type IpVersion = 4 | 6;

/** Resolves names to addresses. */
export interface NameResolver {
  /**
   * Returns all known addresses of a lower-case name, or those of one version, IPv4 first; never an empty list. Rejects
   * with a `ProbeFault`: `dns_not_found`, `dns_failed`, or `network_unavailable` if there is no route to a name server.
   * Has a time limit of its own.
   */
  resolve(name: string, version?: IpVersion | null): Promise<readonly string[]>;
}

export interface DnsOptions {
  /** Name servers as `address` or `address:port`; by default those of the system. */
  servers?: string[];
  /** Time limit of the first try; later tries wait longer. */
  timeoutMs?: number;
  tries?: number;
  hostsFile?: HostsFile;
}

// The minimum lets checks that start together share one look-up; the maximum limits the effect of a wrong TTL.
const MIN_TTL_SECONDS = 1;
const MAX_TTL_SECONDS = 300;
const MAX_CACHED_NAMES = 50_000;
/** How long to wait for the second address family after the first (RFC 8305, section 3). */
const FAMILY_LAG_MS = 50;
const RENEW_AFTER_MS = 10_000;
const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Queries the name servers itself (with c-ares), because the system's `getaddrinfo` occupies a thread for each look-up,
 * so that a few unresponsive names would starve all others. Caches responses for their TTL, or for a second if the query
 * for IPv4 addresses failed, and has at most one query per name in flight.
 */
export class DnsResolver implements NameResolver {
  private readonly answers = new SharedAnswers<readonly string[]>(MAX_CACHED_NAMES);
  private readonly hostsFile: HostsFile;
  private servers: dns.Resolver;
  private renewedAt = performance.now();

  constructor(private readonly options: DnsOptions = {}) {
    this.hostsFile = options.hostsFile ?? new HostsFile();
    this.servers = this.newServers();
  }

  async resolve(name: string, version: IpVersion | null = null): Promise<readonly string[]> {
    // RFC 6761: these names mean loopback and must not be queried.
    const isLocal = name === 'localhost' || name.endsWith('.localhost');
    const known = isLocal ? ['127.0.0.1', '::1'] : (await this.hostsFile.names()).get(name);
    if (!known) return this.answers.get(version === null ? name : `${name}/${version}`, () => this.ask(name, version));
    const wanted = version === null ? known : known.filter((address) => isIP(address) === version);
    if (wanted.length === 0) throw absent(version);
    return wanted;
  }

  private async ask(name: string, version: IpVersion | null): Promise<Answer<readonly string[]>> {
    const families = await this.families(name, version);
    const records = families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
    const codes = families.map((family) => (family.status === 'rejected' ? errorCode(family.reason) : 'ENODATA'));
    const failure = codes.find((code) => !ABSENT.has(code));
    if (records.length > 0) {
      // Many machines cannot reach the IPv6 addresses alone. The reverse is rare, and some servers never answer for IPv6.
      const isPoor = version === null && !ABSENT.has(codes[0]!);
      const ttlSeconds = isPoor ? MIN_TTL_SECONDS : Math.min(...records.map((record) => record.ttl));
      const lifeMs = 1_000 * Math.min(Math.max(ttlSeconds, MIN_TTL_SECONDS), MAX_TTL_SECONDS);
      return { value: records.map((record) => record.address), lifeMs };
    }
    if (failure === undefined) throw absent(version);
    const asked = this.servers.getServers();
    this.renewServers();
    if (!(await anyServerHasRoute(asked))) throw noWayOut('a name server');
    throw new ProbeFault('dns_failed', `The host name could not be resolved (${failure}).`);
  }

  /** Asks for the addresses of one version or, at the same time, of both. */
  private async families(
    name: string,
    version: IpVersion | null,
  ): Promise<PromiseSettledResult<readonly RecordWithTtl[]>[]> {
    if (version === 4) return Promise.allSettled([this.servers.resolve4(name, { ttl: true })]);
    if (version === 6) return Promise.allSettled([this.servers.resolve6(name, { ttl: true })]);
    const ipv4 = this.servers.resolve4(name, { ttl: true });
    const ipv6 = this.servers.resolve6(name, { ttl: true });
    // It may reject before it is awaited.
    ipv6.catch(() => undefined);
    const [first] = await Promise.allSettled([ipv4]);
    return [first, await settledWithin(ipv6, first.status === 'fulfilled' ? FAMILY_LAG_MS : null)];
  }

  private newServers(): dns.Resolver {
    const { servers, timeoutMs = 2_000, tries = 2 } = this.options;
    const resolver = new dns.Resolver({ timeout: timeoutMs, tries });
    if (servers) resolver.setServers(servers);
    return resolver;
  }

  /** A resolver reads the system's name servers when it is created; they may have changed after a failure. */
  private renewServers(): void {
    const now = performance.now();
    if (now - this.renewedAt < RENEW_AFTER_MS) return;
    this.renewedAt = now;
    this.servers = this.newServers();
  }
}

/** Returns the fault of a name that has no address, or none of this version. */
export function absent(version: IpVersion | null): ProbeFault {
  const what = version === null ? 'does not exist in DNS, or has no address record' : `has no IPv${version} address`;
  return new ProbeFault('dns_not_found', `The host name ${what}.`);
}

/** Returns how `records` settled, or an empty list after `limitMs` (`null` means no limit). */
async function settledWithin(
  records: Promise<RecordWithTtl[]>,
  limitMs: number | null,
): Promise<PromiseSettledResult<RecordWithTtl[]>> {
  const settled = Promise.allSettled([records]).then(([result]) => result);
  if (limitMs === null) return settled;
  const timer = new AbortController();
  const late = delay<PromiseSettledResult<RecordWithTtl[]>>(
    limitMs,
    { status: 'fulfilled', value: [] },
    { signal: timer.signal },
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    late.catch(() => undefined);
    timer.abort();
  }
}
