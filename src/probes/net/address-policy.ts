import ipaddr from 'ipaddr.js';
import { remembering } from '../../domain/memo.js';
import { parseHost } from './host-literal.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** `true` allows all private ranges; a list allows the ranges in it (CIDR), so an empty one allows none. */
export type AllowPrivateTargets = true | readonly string[];

/** Decides which addresses a check may connect to. Immutable. */
export interface AddressPolicy {
  /** Returns whether a connection to this IP address is allowed; `false` if the text is not an address. */
  allows(address: string): boolean;
  /**
   * Returns whether a host can be refused without resolving it: an address literal (in any notation) that is not
   * allowed, or a name that by definition means one. Other names are evaluated when they are resolved.
   */
  refusesHost(host: string): boolean;
}

/** Instance metadata and credential services of cloud providers, which no setting of the operator allows. */
const METADATA_ADDRESSES = new Set([
  '169.254.169.254', // AWS, Azure, Google, OpenStack, Oracle, DigitalOcean, …
  '169.254.170.2', // AWS ECS task credentials
  '169.254.170.23', // AWS EKS pod identity
  'fd00:ec2::254', // AWS, IPv6
  'fd00:ec2::23', // AWS EKS pod identity, IPv6
  'fd20:ce::254', // Google, IPv6
  '100.100.100.200', // Alibaba
  '168.63.129.16', // Azure's host, at a public address
  '192.0.0.192', // Oracle, older
  '169.254.0.23', // Tencent
  '169.254.42.42', // Scaleway
  'fd00:42::42', // Scaleway, IPv6
]);
const METADATA_NAMES = new Set(['metadata.google.internal', 'metadata.goog', 'metadata', 'instance-data']);

/** Ranges that contain no hosts, so no setting allows them. */
const UNREACHABLE = new Set(['unspecified', 'broadcast', 'multicast', 'discard']);
const PUBLIC_IPV4 = new Set(['unicast', 'as112', 'amt']);
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const LOCAL_NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b:1::/48');
const IPV4_COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96');

/** Creates an address policy. Throws an `Error` that names the first invalid range. */
export function createAddressPolicy(allowPrivate: AllowPrivateTargets): AddressPolicy {
  const ranges = allowPrivate === true ? [] : allowPrivate.map(parseRange);
  const opened = (address: Address): boolean => {
    return (
      allowPrivate === true ||
      ranges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits))
    );
  };
  const allowed = (address: Address): boolean => {
    if (METADATA_ADDRESSES.has(address.toString()) || UNREACHABLE.has(address.range())) return false;
    return isPublic(address) || opened(address);
  };
  const allows = remembering((address) => {
    return ipaddr.isValid(address) && addressesMeantBy(ipaddr.parse(address)).every(allowed);
  });
  return {
    allows,
    refusesHost(host) {
      const meaning = parseHost(host);
      if (meaning.kind === 'address') return !allows(meaning.address);
      if (meaning.kind === 'invalid') return true;
      if (meaning.name === 'localhost' || meaning.name.endsWith('.localhost')) return !allows('127.0.0.1');
      return METADATA_NAMES.has(meaning.name);
    },
  };
}

function parseRange(text: string): [Address, number] {
  if (!ipaddr.isValidCIDR(text))
    throw new Error(`"${text}" is not an address range; use CIDR notation such as 10.0.0.0/8`);
  return ipaddr.parseCIDR(text);
}

function isPublic(address: Address): boolean {
  if (address instanceof ipaddr.IPv4) return PUBLIC_IPV4.has(address.range());
  return address.range() === 'unicast' && address.match(GLOBAL_UNICAST);
}

/**
 * Returns the addresses at which a packet to this one can arrive. An IPv6 address that represents an IPv4 address is
 * evaluated as that address; one that a tunnel would unpack is evaluated as both.
 */
export function addressesMeantBy(address: Address): Address[] {
  if (address instanceof ipaddr.IPv4) return [address];
  const bytes = address.toByteArray();
  const ipv4At = (offset: number, mask = 0): ipaddr.IPv4 => {
    return new ipaddr.IPv4(bytes.slice(offset, offset + 4).map((byte) => byte ^ mask));
  };
  const range = address.range();
  if (range === 'ipv4Mapped') return [ipv4At(12)];
  // NAT64: on an IPv6-only network, this is how every IPv4 host is reached.
  if (range === 'rfc6052' && !address.match(LOCAL_NAT64)) return [ipv4At(12)];
  if (range === 'rfc6052') return [address, ...embeddedByLocalNat64(bytes)];
  if (range === '6to4') return [address, ipv4At(2)];
  if (range === 'teredo') return [address, ipv4At(4), ipv4At(12, 0xff)];
  const isatap = bytes.slice(9, 12).join() === '0,94,254' && (bytes[8] === 0 || bytes[8] === 2);
  const compatible = address.match(IPV4_COMPATIBLE) && bytes[12] !== 0;
  return isatap || compatible || range === 'rfc6145' ? [address, ipv4At(12)] : [address];
}

/** The network chooses its prefix length (RFC 6052, 2.2), so both positions that fit into a /48 are evaluated. */
function embeddedByLocalNat64(bytes: number[]): ipaddr.IPv4[] {
  const at48 = [bytes[6]!, bytes[7]!, bytes[9]!, bytes[10]!];
  return [new ipaddr.IPv4(bytes.slice(12)), ...(at48.some((byte) => byte !== 0) ? [new ipaddr.IPv4(at48)] : [])];
}
