import { type ServerResponse } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type EdgeRequest } from './edge-request.js';
import { ProblemException } from './problems/problem.js';

/** Requested by orchestrators and scrapers, under whatever name they use for the service. */
const FOR_OPERATORS = new Set(['/healthz', '/readyz', '/metrics']);

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/** Returns the name in a `Host` header, without the port, because proxies and containers map ports. */
function hostnameOf(host: string): string {
  if (isIP(host) !== 0) return host;
  return host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

/**
 * The hosts that the service answers to. Otherwise links could contain a forged host, and a page under a foreign name
 * that points here would count as a page of this site.
 */
export class OwnHosts {
  private readonly known: ReadonlySet<string>;

  /** @param names host names; `*` matches any */
  constructor(names: readonly string[]) {
    this.known = new Set(['localhost', ...names.map(hostnameOf)]);
  }

  /** Returns whether requests to a host are answered. IP addresses always are, because they involve no foreign name. */
  admit(host: string | undefined): boolean {
    return host === undefined || this.includes(host) || isIP(hostnameOf(host)) !== 0;
  }

  /** Whether every host is a name of the service. */
  get namesAny(): boolean {
    return this.known.has('*');
  }

  /** Returns whether a host is configured as a name of the service. */
  names(host: string): boolean {
    return this.namesAny || this.known.has(hostnameOf(host));
  }

  /** Returns whether links may contain a host: a name of the service or an address of this machine. */
  includes(host: string): boolean {
    const name = hostnameOf(host);
    return this.names(name) || isOwnAddress(name);
  }

  /** Returns the origin that a request was sent to; null if links must not contain it. */
  originOf({ protocol, host = '' }: Pick<EdgeRequest, 'protocol' | 'host'>): string | null {
    const origin = `${protocol}://${host}`;
    return this.includes(host) && URL.canParse(origin) ? origin : null;
  }
}

function isOwnAddress(name: string): boolean {
  const family = isIP(name);
  if (family === 0) return false;
  if (LOOPBACK.check(name, family === 4 ? 'ipv4' : 'ipv6')) return true;
  return Object.values(networkInterfaces()).some((entries) => entries?.some(({ address }) => address === name));
}

/** A site under a name that is not one of the service's own. */
export interface Site {
  domain: string;
  /** Returns the path at which the service has what the site serves at a path. */
  pathOf(path: string): string;
}

/** Finds sites by the names of their hosts. */
export interface Sites {
  find(name: string): Promise<Site | null>;
}

/** Serves requests to sites from the paths that they map to, and rejects those to other hosts with 421. */
export function answerFor(hosts: OwnHosts, sites?: Sites) {
  const serveSite = async (request: EdgeRequest, response: ServerResponse, next: () => void): Promise<void> => {
    const site = await sites?.find(hostnameOf(request.host ?? ''));
    if (site) enter(site, request, response);
    else if (!hosts.admit(request.host)) {
      const detail = `This service is not configured for the host ${request.host}. Its operator can allow it with PUBLIC_URL or ALLOWED_HOSTS.`;
      throw new ProblemException(421, 'misdirected_request', detail);
    }
    next();
  };
  return (request: EdgeRequest, response: ServerResponse, next: () => void): Promise<void> | void => {
    const { host = '' } = request;
    const isOurs = hosts.names(host) || isIP(hostnameOf(host)) !== 0 || host === '';
    return isOurs || FOR_OPERATORS.has(request.path) ? next() : serveSite(request, response, next);
  };
}

/** Rejects everything except what orchestrators and scrapers request: for a process that does not serve the API. */
export function forOperatorsOnly(request: EdgeRequest, _response: ServerResponse, next: () => void): void {
  if (FOR_OPERATORS.has(request.path)) return next();
  throw new ProblemException(
    404,
    'not_found',
    'This process does not serve the API, because its ROLES do not include api.',
  );
}

function enter(site: Site, request: EdgeRequest, response: ServerResponse): void {
  const query = request.url?.replace(/^[^?]*/, '') ?? '';
  request.url = site.pathOf(request.path) + query;
  request.ownDomain = site.domain;
  // Whether the site is available over HTTPS is not known.
  response.removeHeader('Strict-Transport-Security');
}
