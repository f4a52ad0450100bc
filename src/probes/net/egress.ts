import { networkInterfaces } from 'node:os';
import { isIP, type Socket } from 'node:net';
import { createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import ipaddr from 'ipaddr.js';
import { before, type Deadline } from '../deadline.js';
import { addressesMeantBy, type AddressPolicy } from './address-policy.js';
import { closeSocket, connectToAny, type Connection } from './connection.js';
import { canonicalAddress, parseHost, type HostMeaning } from './host-literal.js';
import { absent, type IpVersion, type NameResolver } from './name-resolver.js';
import { ProbeFault } from './probe-fault.js';
import { startTls, type TlsOptions } from './tls.js';

/** IANA's list of RDAP servers. */
export const RDAP_BOOTSTRAP_URL = 'https://data.iana.org/rdap/dns.json';
/** Represents all addresses of this machine. */
const LOOPBACK = '127.0.0.1';

export interface EgressOptions {
  /** Endpoints, with a host name or address, that no check may reach, such as the service's own database. */
  forbidden?: readonly { host: string; port: number }[];
  /** Ports at which this service itself listens; no check may reach them on this machine. They may change later. */
  ownPorts?: Uint32Array;
  /** URL of the list of RDAP servers (RFC 9224); by default that of IANA. */
  rdapBootstrapUrl?: string | null;
  /** Trusted root certificates in PEM; by default those of Node, which `NODE_EXTRA_CA_CERTS` extends. */
  ca?: Buffer;
}

/** A certificate in PEM, with any intermediate ones, and its private key. */
export interface ClientIdentity {
  certificate: string;
  key: string;
}

/** How to perform a handshake, with the certificate to present if the server asks for one. */
export interface SecureOptions extends Omit<TlsOptions, 'context'> {
  identity?: ClientIdentity | null;
}

/**
 * Resolves names and opens connections under the address policy; probes must not use any other way. Connects to exactly
 * the address that passed the policy, so changing the address of a name in between has no effect. Ignores proxy
 * environment variables.
 */
export class Egress {
  private readonly forbidden: readonly { host: string; port: number }[];
  private readonly ownPorts: Uint32Array;
  private readonly ca: Buffer | undefined;
  private anonymous: SecureContext | undefined;
  readonly rdapBootstrapUrl: string;

  constructor(
    private readonly policy: AddressPolicy,
    private readonly resolver: NameResolver,
    options: EgressOptions = {},
  ) {
    this.forbidden = options.forbidden ?? [];
    this.ownPorts = options.ownPorts ?? new Uint32Array();
    this.ca = options.ca;
    this.rdapBootstrapUrl = options.rdapBootstrapUrl ?? RDAP_BOOTSTRAP_URL;
  }

  /**
   * Returns those addresses of a host, or of one version, that checks may connect to. Rejects with a `ProbeFault`:
   * `dns_not_found`, `dns_failed` (also at the deadline), `network_unavailable`, or `address_blocked` if no address is
   * allowed.
   */
  async resolve(host: string, deadline: Deadline, version: IpVersion | null = null): Promise<string[]> {
    const meaning = parseHost(host);
    if (meaning.kind === 'invalid')
      throw new ProbeFault('dns_not_found', 'The host is not a valid host name or IP address.');
    const addresses = await until(deadline, this.addressesOf(meaning, version));
    const allowed = addresses.map(canonicalAddress).filter((address) => this.policy.allows(address));
    if (allowed.length === 0) throw blocked();
    return allowed;
  }

  /**
   * Applies the address policy to a host that a proxy will connect to. A name is resolved by the proxy, so only an address
   * can be judged. Rejects with a `ProbeFault`: `dns_not_found` or `address_blocked`.
   */
  async permits(host: string, port: number, deadline: Deadline): Promise<void> {
    const { kind } = parseHost(host);
    if (kind !== 'name') await this.reachable(await this.resolve(host, deadline), port, deadline);
  }

  /**
   * Connects to the first address that answers. Applies the policy again, now including the port. Rejects with a
   * `ProbeFault`: `address_blocked`, `connect_…` or `network_unavailable`. The caller must close the socket with
   * `closeSocket`.
   */
  async connect(addresses: readonly string[], port: number, deadline: Deadline): Promise<Connection> {
    return connectToAny(await this.reachable(addresses, port, deadline), port, deadline);
  }

  /**
   * Returns those addresses that checks may reach at this port, for probes that do not connect with `connect`. Rejects
   * with a `ProbeFault` `address_blocked` if there are none.
   */
  async reachable(addresses: readonly string[], port: number, deadline: Deadline): Promise<string[]> {
    const forbidden = await this.forbiddenAt(port, deadline);
    const allowed = addresses.filter((address) => this.policy.allows(address) && !forbidden.has(address));
    if (allowed.length === 0) throw blocked();
    return allowed;
  }

  /**
   * Performs a TLS handshake on a socket from `connect`, and closes it on failure; see `startTls` for the faults. An
   * identity that cannot be used is a `ProbeFault` `tls_failed`.
   */
  async secure(socket: Socket, { identity, ...options }: SecureOptions, deadline: Deadline): Promise<TLSSocket> {
    this.anonymous ??= createSecureContext({ ca: this.ca });
    const context = identity ? this.contextOf(identity, socket) : this.anonymous;
    return startTls(socket, { ...options, context }, deadline);
  }

  private contextOf({ certificate, key }: ClientIdentity, socket: Socket): SecureContext {
    try {
      return createSecureContext({ ca: this.ca, cert: certificate, key });
    } catch {
      closeSocket(socket);
      throw new ProbeFault('tls_failed', 'The client certificate and its private key do not belong together.');
    }
  }

  /**
   * Returns the addresses that are forbidden at a port. If a forbidden name cannot be resolved, an address cannot be
   * cleared of being that endpoint, so the error makes the check a fault of the service.
   */
  private async forbiddenAt(port: number, deadline: Deadline): Promise<{ has(address: string): boolean }> {
    const named = this.forbidden.filter((endpoint) => endpoint.port === port).map(({ host }) => host);
    const hosts = [...named, ...(this.ownPorts.includes(port) ? [LOOPBACK] : [])].map(parseHost);
    if (hosts.length === 0) return new Set<string>();
    const addresses = Promise.all(hosts.map((host) => this.addressesOf(host)));
    return new Endpoints((await until(deadline, addresses).catch(unknownEndpoint)).flat());
  }

  private async addressesOf(host: HostMeaning, version: IpVersion | null = null): Promise<readonly string[]> {
    if (host.kind === 'invalid') return [];
    if (host.kind === 'name') return this.resolver.resolve(host.name, version);
    if (version !== null && isIP(host.address) !== version) throw absent(version);
    return [host.address];
  }
}

/**
 * A set of endpoints. A server on this machine is reachable at each of the machine's addresses, so it includes them
 * all.
 */
class Endpoints {
  private readonly addresses: ReadonlySet<string>;
  private readonly local: boolean;

  constructor(addresses: readonly string[]) {
    const known = addresses.map(canonicalAddress);
    const own = Object.values(networkInterfaces()).flatMap((entries) => {
      return (entries ?? []).map((entry) => canonicalAddress(entry.address));
    });
    this.local = known.some((address) => isLoopback(address) || own.includes(address));
    this.addresses = new Set([...known, ...(this.local ? own : [])]);
  }

  has(address: string): boolean {
    const meant = addressesMeantBy(ipaddr.parse(address)).map(String);
    return meant.some((one) => this.addresses.has(one) || (this.local && isLoopback(one)));
  }
}

function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1';
}

function unknownEndpoint(): never {
  throw new Error('A forbidden endpoint cannot be resolved.');
}

/** Returns the same message for every cause, so that it does not reveal what answers at a blocked address. */
function blocked(): ProbeFault {
  return new ProbeFault(
    'address_blocked',
    'The address of this target is blocked. Operators can allow private addresses with ALLOW_PRIVATE_TARGETS.',
  );
}

function until<T>(deadline: Deadline, work: Promise<T>): Promise<T> {
  return before(deadline, work, () => new ProbeFault('dns_failed', 'The DNS lookup timed out.'));
}
