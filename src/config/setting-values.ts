import { isIP } from 'node:net';
import { type Role, ROLES } from './roles.js';

/*
 * How the texts of environment variables become values. Each function returns the value, or throws an `Error` whose
 * message completes a sentence that begins with the name of the variable.
 */

export const text = (value: string): string => value;
export const optional = (value: string): string | null => (value === '' ? null : value);

export const integer =
  (min: number, max: number) =>
  (value: string): number => {
    if (!/^\d+$/.test(value) || Number(value) < min || Number(value) > max) {
      throw new Error(`must be a whole number from ${min} to ${max}`);
    }
    return Number(value);
  };

export const optionalPort = (value: string): number | null => (value === '' ? null : integer(0, 65_535)(value));

export const oneOf =
  <T extends string>(...choices: readonly T[]) =>
  (value: string): T => {
    const choice = choices.find((one) => one === value);
    if (choice === undefined) throw new Error(`must be one of ${choices.join(', ')}`);
    return choice;
  };

export const flag = (value: string): boolean => oneOf('true', 'false')(value) === 'true';

export const httpUrl = (value: string): string | null => {
  if (value === '') return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new Error('must be an http or https URL');
  const { username, password, search, hash, origin, pathname } = url;
  if (username + password + search + hash !== '') {
    throw new Error('must contain neither a user name, nor a query, nor a fragment');
  }
  // In lower case, because the scheme decides whether cookies are secure.
  return origin + pathname.replace(/(?<!\/)\/+$/, '');
};

/** Never quotes the value, whose path may be a secret. */
export const requestedUrl = (value: string): string | null => {
  if (value === '') return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new Error('must be an http or https URL');
  if (url.username !== '' || url.password !== '') throw new Error('must not contain a user name or a password');
  return url.href;
};

/** Inserts a host where the string names a socket directory, because `URL` rejects an empty host. */
function isConnectionString(value: string): boolean {
  return URL.canParse(value.replace(/^(\w+:\/\/[^/]*@)(?=\/)/, '$1socket'));
}

export const hostNames = (value: string): readonly string[] => {
  if (value === '') return [];
  const names = value.split(',').map((one) => one.trim().toLowerCase());
  const faulty = names.find((one) => one !== '*' && (isIP(one) !== 0 || endpoint(`${one}:80`) === null));
  if (faulty !== undefined)
    throw new Error(`must list host names such as daywatch,status.example.com; "${faulty}" is not one`);
  return names;
};

/** Throws for what `URL` accepts and the drivers cannot decode. */
function assertEncoded(url: string): void {
  if (!isEncoded(url)) throw new Error('must have special characters in percent-encoding, such as %25 for %');
}

export const postgresUrl = (value: string): string | null => {
  if (value === '') return null;
  if (!/^postgres(ql)?:\/\//.test(value) || !isConnectionString(value))
    throw new Error('must have the form postgresql://user:password@host:port/database');
  assertEncoded(value);
  return value;
};

/** Never quotes the value, which may contain a password. */
export const redisUrl = (value: string): string | null => {
  if (value === '') return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^rediss?:$/.test(url.protocol) || url.hostname === '' || !/^(\/\d*)?$/.test(url.pathname)) {
    throw new Error('must have the form redis://user:password@host:port/number, or rediss://… for TLS');
  }
  assertEncoded(value);
  return value;
};

export const keyPrefix = (value: string): string => {
  if (!/^[\w.-]{1,50}$/.test(value)) throw new Error('must consist of 1 to 50 letters, digits, ".", "_" and "-"');
  return value;
};

/** What the key of a location looks like. It is part of the names of queues, and so has no colon. */
export const LOCATION_PATTERN = /^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$/;

export const locationName = (value: string): string => {
  if (!LOCATION_PATTERN.test(value)) {
    throw new Error('must be the key of a location: 1 to 50 lower-case letters and digits, with "-" in between');
  }
  return value;
};

export const roles = (value: string): readonly Role[] => {
  if (value === '') return ROLES;
  const names = value.split(',').map((one) => one.trim());
  const faulty = names.filter((one, index) => !ROLES.includes(one as Role) || names.indexOf(one) !== index);
  if (faulty.length > 0) {
    throw new Error(`must list each of ${ROLES.join(', ')} at most once; invalid or repeated: ${faulty.join(', ')}`);
  }
  return names as Role[];
};

function isRange(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/');
  const family = isIP(address);
  return family !== 0 && /^\d+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128) && more.length === 0;
}

export const privateTargets = (value: string): true | readonly string[] => {
  if (value === '' || value === 'false') return [];
  if (value === 'true') return true;
  const ranges = value.split(',').map((one) => one.trim());
  const faulty = ranges.find((one) => !isRange(one));
  if (faulty !== undefined)
    throw new Error(`must be true or address ranges such as 10.0.0.0/8; "${faulty}" is neither`);
  return ranges;
};

/** Matches a host (an IPv6 address in brackets), a colon and a port. */
const ENDPOINT = /^(?:\[([\da-f:.]+)\]|([a-z\d_](?:[a-z\d_.-]{0,252}[a-z\d_])?\.?)):(\d{1,5})$/i;
const MAX_CANARIES = 10;

function endpoint(text: string): { host: string; port: number } | null {
  const [, address, name, digits] = ENDPOINT.exec(text) ?? [];
  const port = Number(digits);
  if (!(port >= 1 && port <= 65_535) || (address !== undefined && isIP(address) !== 6)) return null;
  return { host: (address ?? name!).toLowerCase(), port };
}

export const canaryTargets = (value: string): readonly { host: string; port: number }[] => {
  if (value === '') return [];
  const texts = value.split(',').map((one) => one.trim());
  const faulty = texts.filter((one, index) => endpoint(one) === null || texts.indexOf(one) !== index);
  if (faulty.length > 0) {
    const named = faulty.map((one) => `"${one}"`).join(', ');
    throw new Error(
      `must list each host:port once, such as 192.0.2.1:443,[2001:db8::1]:53; invalid or repeated: ${named}`,
    );
  }
  if (texts.length > MAX_CANARIES) throw new Error(`must list at most ${MAX_CANARIES} services`);
  return texts.map((one) => endpoint(one)!);
};

export const trustProxy = (value: string): boolean | number | string => {
  if (value === '' || value === 'false') return false;
  if (value === 'true') return true;
  if (/^\d+$/.test(value)) return Number(value);
  const proxies = value.split(',').map((one) => one.trim());
  const known = ['loopback', 'linklocal', 'uniquelocal'];
  // Express accepts no range of all addresses.
  const isProxy = (one: string): boolean => isIP(one) !== 0 || (isRange(one) && !/\/0+$/.test(one));
  if (!proxies.every((one) => known.includes(one) || isProxy(one))) {
    throw new Error(
      `must be true, a number of hops, or a list of addresses, ranges (not of length 0) or ${known.join(', ')}`,
    );
  }
  return value;
};

export const secretKey = (value: string): string | null => {
  if (value !== '' && value.length < 32) throw new Error('must have at least 32 characters');
  return optional(value);
};

export const email = (value: string): string | null => {
  if (value !== '' && !/^[^\s@]+@[^\s@]+$/.test(value)) throw new Error('must be an email address');
  return optional(value);
};

/** Never quotes the value, which may contain a password. */
export const smtpUrl = (value: string): string | null => {
  if (value === '') return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  const isComplete = url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
  if (!isComplete || !isEncoded(url.username) || !isEncoded(url.password)) {
    throw new Error('must have the form smtp://user:password@host:port, or smtps://… for TLS from the start');
  }
  return value;
};

function isEncoded(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

export const mailSender = (value: string): string | null => {
  if (value !== '' && !/^(?:[^\s<>@,]+@[^\s<>@,]+|[^<>@,\r\n]*<[^\s<>@,]+@[^\s<>@,]+>)$/.test(value)) {
    throw new Error('must be an email address, or have the form Name <address@example.com>');
  }
  return optional(value);
};

const SECRET_PREFIX = 'whsec_';

/** Never quotes the value. */
export const signingSecret = (value: string): string | null => {
  const key = Buffer.from(value.slice(SECRET_PREFIX.length), 'base64');
  const isExact = value === SECRET_PREFIX + key.toString('base64');
  if (value !== '' && (!isExact || key.length < 24 || key.length > 64)) {
    throw new Error('must be whsec_ followed by 24 to 64 random bytes in Base64');
  }
  return optional(value);
};
