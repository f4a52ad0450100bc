import { isIP } from 'node:net';
import { resolve } from 'node:path';

/** One environment variable: what it is for, its default, and how its text becomes a value. */
export interface Setting<T> {
  /** For the settings table of the README. */
  doc: string;
  /** As it would be written in the environment; an empty string is "not set". */
  default: string;
  /** Throws an `Error` whose message says what is wanted. */
  parse(text: string): T;
}

const text = (value: string): string => value;
const optional = (value: string): string | null => (value === '' ? null : value);

const integer =
  (min: number, max: number) =>
  (value: string): number => {
    if (!/^\d+$/.test(value) || Number(value) < min || Number(value) > max) {
      throw new Error(`wants a whole number from ${min} to ${max}`);
    }
    return Number(value);
  };

const optionalPort = (value: string): number | null => (value === '' ? null : integer(0, 65_535)(value));

const oneOf =
  <T extends string>(...choices: readonly T[]) =>
  (value: string): T => {
    const choice = choices.find((one) => one === value);
    if (choice === undefined) throw new Error(`wants one of ${choices.join(', ')}`);
    return choice;
  };

const flag = (value: string): boolean => oneOf('true', 'false')(value) === 'true';

const httpUrl = (value: string): string | null => {
  if (value === '') return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new Error('wants an http or https URL');
  return value.replace(/(?<!\/)\/+$/, '');
};

/** Socket folders have no host, which `URL` does not take. */
function isConnectionString(value: string): boolean {
  return URL.canParse(value.replace(/^(\w+:\/\/[^/]*@)(?=\/)/, '$1socket'));
}

const hostNames = (value: string): readonly string[] => {
  if (value === '') return [];
  const names = value.split(',').map((one) => one.trim().toLowerCase());
  const faulty = names.find((one) => one !== '*' && (isIP(one) !== 0 || endpoint(`${one}:80`) === null));
  if (faulty !== undefined)
    throw new Error(`wants host names such as daywatch,status.example.com; "${faulty}" is none`);
  return names;
};

const postgresUrl = (value: string): string | null => {
  if (value === '') return null;
  if (!/^postgres(ql)?:\/\//.test(value) || !isConnectionString(value))
    throw new Error('wants postgresql://user:password@host:port/database');
  return value;
};

const notYet = (value: string): null => {
  if (value !== '') throw new Error('is not supported yet: leave it unset');
  return null;
};

function isRange(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/');
  const family = isIP(address);
  return family !== 0 && /^\d+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128) && more.length === 0;
}

const privateTargets = (value: string): true | readonly string[] => {
  if (value === '' || value === 'false') return [];
  if (value === 'true') return true;
  const ranges = value.split(',').map((one) => one.trim());
  const faulty = ranges.find((one) => !isRange(one));
  if (faulty !== undefined) throw new Error(`wants true, or address ranges such as 10.0.0.0/8; "${faulty}" is neither`);
  return ranges;
};

/** A host as it may be named (an IPv6 address in brackets), a colon, and a port. */
const ENDPOINT = /^(?:\[([\da-f:.]+)\]|([a-z\d_](?:[a-z\d_.-]{0,252}[a-z\d_])?\.?)):(\d{1,5})$/i;
const MAX_CANARIES = 10;

function endpoint(text: string): { host: string; port: number } | null {
  const [, address, name, digits] = ENDPOINT.exec(text) ?? [];
  const port = Number(digits);
  if (!(port >= 1 && port <= 65_535) || (address !== undefined && isIP(address) !== 6)) return null;
  return { host: (address ?? name!).toLowerCase(), port };
}

const canaryTargets = (value: string): readonly { host: string; port: number }[] => {
  if (value === '') return [];
  const texts = value.split(',').map((one) => one.trim());
  const faulty = texts.filter((one, index) => endpoint(one) === null || texts.indexOf(one) !== index);
  if (faulty.length > 0) {
    const named = faulty.map((one) => `"${one}"`).join(', ');
    throw new Error(`wants host:port, each once, such as 192.0.2.1:443,[2001:db8::1]:53; not so: ${named}`);
  }
  if (texts.length > MAX_CANARIES) throw new Error(`wants at most ${MAX_CANARIES}`);
  return texts.map((one) => endpoint(one)!);
};

const trustProxy = (value: string): boolean | number | string => {
  if (value === '' || value === 'false') return false;
  if (value === 'true') return true;
  if (/^\d+$/.test(value)) return Number(value);
  const proxies = value.split(',').map((one) => one.trim());
  const known = ['loopback', 'linklocal', 'uniquelocal'];
  if (!proxies.every((one) => known.includes(one) || isIP(one) !== 0 || isRange(one))) {
    throw new Error(`wants true, a number of hops, or addresses, ranges and ${known.join(', ')}`);
  }
  return value;
};

const secretKey = (value: string): string | null => {
  if (value !== '' && value.length < 32) throw new Error('wants at least 32 characters');
  return optional(value);
};

const email = (value: string): string | null => {
  if (value !== '' && !/^[^\s@]+@[^\s@]+$/.test(value)) throw new Error('wants an email address');
  return optional(value);
};

/** Every setting of the service. The README's table is checked against this. */
export const SETTINGS = {
  HOST: { doc: 'Address to listen on. The container image sets `0.0.0.0`.', default: '127.0.0.1', parse: text },
  PORT: { doc: 'Port to listen on; `0` takes a free one.', default: '3000', parse: integer(0, 65_535) },
  PUBLIC_URL: {
    doc: 'Origin under which people reach the service, for links. Unset: the address it listens on.',
    default: '',
    parse: httpUrl,
  },
  ALLOWED_HOSTS: {
    doc: 'Further host names under which the service is reached, such as `daywatch,status.example.com`; `*`: any. It answers for the host of `PUBLIC_URL`, for `localhost` and for addresses anyway; requests to other hosts get 421, but for health and metrics.',
    default: '',
    parse: hostNames,
  },
  TRUST_PROXY: {
    doc: 'Which reverse proxies may name the client in `X-Forwarded-*`: `true`, a number of hops, or addresses.',
    default: '',
    parse: trustProxy,
  },
  DATA_DIR: {
    doc: 'Folder for the embedded database, the secret key, the first API key and the spool.',
    default: './data',
    parse: (value: string) => resolve(value),
  },
  DATABASE_URL: {
    doc: 'PostgreSQL 15 or newer. Unset: the embedded PostgreSQL in `DATA_DIR`.',
    default: '',
    parse: postgresUrl,
  },
  DATABASE_POOL: {
    doc: 'Connections to the database at most, beside one that tells whether it answers.',
    default: '12',
    parse: integer(4, 200),
  },
  REDIS_URL: { doc: 'Reserved for running on many machines; refused until that is built.', default: '', parse: notYet },
  SECRET_KEY: {
    doc: 'Key (32 characters or more) that seals stored secrets and API keys. Unset: made at the first start and kept in `DATA_DIR/secret-key`. A key other than the one the database was made with ends the start with exit code 78.',
    default: '',
    parse: secretKey,
  },
  ADMIN_EMAIL: {
    doc: 'With `ADMIN_PASSWORD`: makes the owner of the first team at a start where there is nobody yet, instead of the set-up page. Later starts leave people as they are.',
    default: '',
    parse: email,
  },
  ADMIN_PASSWORD: {
    doc: 'The password of that owner, 12 to 200 characters. Change it in the application, and unset it.',
    default: '',
    parse: optional,
  },
  ALLOW_PRIVATE_TARGETS: {
    doc: 'Private, loopback and other non-public addresses that monitors may reach: unset (none), `true` (all), or ranges such as `127.0.0.0/8,10.0.0.0/8`. Cloud metadata addresses, the database and the ports of the service itself stay out of reach.',
    default: '',
    parse: privateTargets,
  },
  CANARY_TARGETS: {
    doc: 'TCP services (`host:port`, comma-separated, at most 10) that accept connections whenever the network here works: see [When the network here is gone](#when-the-network-here-is-gone).',
    default: '',
    parse: canaryTargets,
  },
  MIN_INTERVAL_SECONDS: { doc: 'Shortest check interval a monitor may have.', default: '5', parse: integer(1, 86_400) },
  RETENTION_DAYS: {
    doc: 'Days for which single check results are kept. Daily figures, transitions and pauses stay.',
    default: '90',
    parse: integer(2, 3_650),
  },
  SPOOL_MAX_MB: {
    doc: 'Size in MiB, at most, of the results that wait in `DATA_DIR/spool` while the database is away: see [When the database is away](#when-the-database-is-away).',
    default: '1024',
    parse: integer(1, 1_048_576),
  },
  RATE_LIMIT_PER_MINUTE: {
    doc: 'Requests of an API key in a minute, over all processes on one database; `0`: no limit.',
    default: '600',
    parse: integer(0, 100_000_000),
  },
  AUTH_FAILURES_PER_MINUTE: {
    doc: 'Requests without a valid API key that an address may make in a minute; `0`: no limit.',
    default: '600',
    parse: integer(0, 100_000_000),
  },
  BODY_LIMIT_KB: { doc: 'Largest request body, in KiB.', default: '256', parse: integer(16, 16_384) },
  MAX_MONITORS_PER_TEAM: {
    doc: 'Monitors that a team may have. At each of these limits, one more is refused with 422 `limit_reached`.',
    default: '10000',
    parse: integer(1, 100_000_000),
  },
  MAX_STATUS_PAGES_PER_TEAM: {
    doc: 'Status pages that a team may have.',
    default: '1000',
    parse: integer(1, 100_000_000),
  },
  MAX_MAINTENANCE_WINDOWS_PER_TEAM: {
    doc: 'Maintenance windows of a team that are not over.',
    default: '1000',
    parse: integer(1, 100_000_000),
  },
  MAX_OPEN_INCIDENTS_PER_TEAM: {
    doc: 'Manual incidents of a team that are not resolved.',
    default: '1000',
    parse: integer(1, 100_000_000),
  },
  MAX_EXCLUSIONS_PER_TEAM: {
    doc: 'Exclusions that a team may have.',
    default: '10000',
    parse: integer(1, 100_000_000),
  },
  MAX_API_KEYS_PER_TEAM: {
    doc: 'API keys of a team that are not revoked.',
    default: '1000',
    parse: integer(1, 100_000_000),
  },
  MAX_LIVE_PAGES_PER_TEAM: {
    doc: 'Open pages of the application that a process keeps up to date at the same time, of one team; of all teams together 1,000. Pages beyond that stay as they were when they were opened.',
    default: '200',
    parse: integer(1, 100_000_000),
  },
  METRICS_TOKEN: {
    doc: 'Bearer token for `GET /metrics`: see [docs/metrics.md](docs/metrics.md). Unset: the route answers 404.',
    default: '',
    parse: optional,
  },
  METRICS_PORT: {
    doc: 'A port of their own for the metrics, at `HOST`; `0` takes a free one. There `METRICS_TOKEN` is needed only where it is set.',
    default: '',
    parse: optionalPort,
  },
  METRICS_PER_MONITOR: {
    doc: '`true`: the metrics also tell the latest check of each monitor, with its names, of all teams.',
    default: 'false',
    parse: flag,
  },
  LOG_LEVEL: {
    doc: '`fatal`, `error`, `warn`, `info`, `debug` or `silent`. Log lines are JSON on standard error.',
    default: 'info',
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent'),
  },
} satisfies Record<string, Setting<unknown>>;
