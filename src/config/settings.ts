import { resolve } from 'node:path';
import {
  canaryTargets,
  email,
  flag,
  hostNames,
  httpUrl,
  integer,
  keyPrefix,
  locationName,
  mailSender,
  oneOf,
  optional,
  optionalPort,
  postgresUrl,
  privateTargets,
  redisUrl,
  requestedUrl,
  roles,
  secretKey,
  signingSecret,
  smtpUrl,
  text,
  trustProxy,
} from './setting-values.js';

/** An environment variable: its purpose, its default, and how its text becomes a value. */
export interface Setting<T> {
  /** Its description in the settings table of docs/configuration.md. */
  doc: string;
  /** The default as it would be written in the environment; an empty string means "not set". */
  default: string;
  /** Throws an `Error` whose message completes a sentence that begins with the name of the variable. */
  parse(text: string): T;
}

/** Every setting of the service. A test compares the table in docs/configuration.md with this list. */
export const SETTINGS = {
  HOST: { doc: 'Address to listen on. The container image sets `0.0.0.0`.', default: '127.0.0.1', parse: text },
  PORT: { doc: 'Port to listen on. `0` picks a free port.', default: '3000', parse: integer(0, 65_535) },
  PUBLIC_URL: {
    doc: "Origin at which users reach the service, used in links. If unset, links use the address that the service listens on, so a process with the role `notifier` but not `api` requires it; pages and the `Link` header prefer the host of the request if it is [one of the service's own](adr/0024-own-hosts.md).",
    default: '',
    parse: httpUrl,
  },
  ALLOWED_HOSTS: {
    doc: 'Additional host names that the service answers to, such as `daywatch,status.example.com`; `*` allows any host, but then status pages cannot have their own domains. The host of `PUBLIC_URL`, `localhost` and IP addresses are always allowed. Requests for other hosts are rejected with 421, except those for health and metrics.',
    default: '',
    parse: hostNames,
  },
  TRUST_PROXY: {
    doc: 'Reverse proxies whose `X-Forwarded-*` headers are trusted: `true` for all, a number of hops, or a list of addresses.',
    default: '',
    parse: trustProxy,
  },
  DATA_DIR: {
    doc: 'Directory for the embedded database, the secret key, the first API key and the spool.',
    default: './data',
    parse: (value: string) => resolve(value),
  },
  DATABASE_URL: {
    doc: 'Connection string of a PostgreSQL server, version 15 or newer, or of a connection pooler in session mode; special characters in user and password are percent-encoded, such as `%25` for `%`. If unset, the embedded PostgreSQL in `DATA_DIR` is used.',
    default: '',
    parse: postgresUrl,
  },
  DATABASE_POOL: {
    doc: 'Maximum number of database connections, not counting one that monitors whether the database responds.',
    default: '12',
    parse: integer(4, 200),
  },
  REDIS_URL: {
    doc: 'Connection string of a Redis server, version 7 or newer, through which processes share the work; `rediss://` for TLS, and special characters in the password percent-encoded. If unset, one process does all the work. See [Scaling](scaling.md).',
    default: '',
    parse: redisUrl,
  },
  REDIS_PREFIX: {
    doc: 'Prefix of all keys in Redis, so that several installations can use one server.',
    default: 'daywatch',
    parse: keyPrefix,
  },
  ROLES: {
    doc: 'What this process does: any of `api`, `dispatcher`, `worker`, `recorder` and `notifier`, comma-separated. If unset, all of them. Without `REDIS_URL`, `dispatcher`, `worker` and `recorder` must be together.',
    default: '',
    parse: roles,
  },
  LOCATION: {
    doc: 'Key of the [location](scaling.md#locations) from which a process with the role `worker` makes its checks. Requires `REDIS_URL` unless it is `default`.',
    default: 'default',
    parse: locationName,
  },
  LOCATION_KEY: {
    doc: 'Key of at least 32 characters that protects the secrets of checks on their way to the workers of a location: `npm run location:key -- <location>` prints it. A worker needs it, and no `SECRET_KEY`; other processes derive it.',
    default: '',
    parse: secretKey,
  },
  SHARDS: {
    doc: 'Number of parts into which monitors are divided to be shared by processes. The first start with `REDIS_URL` fixes it.',
    default: '16',
    parse: integer(1, 1_024),
  },
  SECRET_KEY: {
    doc: 'Key of at least 32 characters that protects stored secrets and API keys. If unset, it is generated at the first start and stored in `DATA_DIR/secret-key`. If it is not the key that the database was created with, the service exits with code 78.',
    default: '',
    parse: secretKey,
  },
  ADMIN_EMAIL: {
    doc: 'Together with `ADMIN_PASSWORD`, creates the owner of the first team at start-up if no user exists yet, instead of offering the setup page. Later starts do not change existing users.',
    default: '',
    parse: email,
  },
  ADMIN_PASSWORD: {
    doc: 'Password of that owner, 12 to 200 characters. Change it in the application afterwards, and unset this variable.',
    default: '',
    parse: optional,
  },
  ALLOW_PRIVATE_TARGETS: {
    doc: 'Private, loopback and other non-public addresses that monitors may reach: unset (none), `true` (all), or ranges such as `127.0.0.0/8,10.0.0.0/8`. Cloud metadata addresses, the database, Redis and the ports of the service itself are always blocked.',
    default: '',
    parse: privateTargets,
  },
  ALLOW_PRIVATE_CHANNELS: {
    doc: 'Private, loopback and other non-public addresses that notification channels may reach, in the form of `ALLOW_PRIVATE_TARGETS`, which does not apply to them. Cloud metadata addresses, the database, Redis and the ports of the service itself are always blocked.',
    default: '',
    parse: privateTargets,
  },
  SMTP_URL: {
    doc: 'Mail server for notification channels of type `email`, invitations, password resets and subscribers of status pages: `smtp://user:password@host:587`, which uses STARTTLS, or `smtps://…` for TLS from the start. Requires `MAIL_FROM`. The address rules of channels do not apply to it.',
    default: '',
    parse: smtpUrl,
  },
  MAIL_FROM: {
    doc: 'Sender of these emails, such as `Daywatch <alerts@example.com>`. Requires `SMTP_URL`.',
    default: '',
    parse: mailSender,
  },
  SUBSCRIBER_MAIL_FROM: {
    doc: 'Sender of emails to subscribers of status pages. If unset, `MAIL_FROM` is used. Requires `SMTP_URL`.',
    default: '',
    parse: mailSender,
  },
  SUBSCRIBER_MAILS_PER_MINUTE: {
    doc: 'Maximum number of emails to subscribers of status pages per minute, across all processes that share a database. Other emails do not count.',
    default: '300',
    parse: integer(1, 100_000),
  },
  MAIL_EVENTS_SECRET: {
    doc: 'Secret (`whsec_…`) that signs reports of bounces and complaints at `POST /webhooks/mail-events`; see [Bounces and complaints](operations.md#bounces-and-complaints). If unset, the route returns 404.',
    default: '',
    parse: signingSecret,
  },
  SUBSCRIBER_WEBHOOKS_PER_MINUTE: {
    doc: 'Maximum number of requests to webhooks of subscribers of status pages per minute, across all processes that share a database. Emails and notification channels do not count.',
    default: '300',
    parse: integer(1, 100_000),
  },
  ALLOW_PRIVATE_SUBSCRIBER_WEBHOOKS: {
    doc: 'Private, loopback and other non-public addresses that webhooks of subscribers may reach, in the form of `ALLOW_PRIVATE_TARGETS`. Visitors of status pages enter them without signing in, so `ALLOW_PRIVATE_TARGETS` and `ALLOW_PRIVATE_CHANNELS` do not apply to them. Set it only if everyone who can open a status page may send requests into these networks. Cloud metadata addresses, the database, Redis and the ports of the service itself are always blocked.',
    default: '',
    parse: privateTargets,
  },
  WATCHDOG_URL: {
    doc: 'URL, such as a check at healthchecks.io, that the service requests with GET every minute while it dispatches checks, records results and sends notifications; the requests stop if any of these stops. See [Who watches the watcher](operations.md#who-watches-the-watcher). The address rules of monitors and channels do not apply to it.',
    default: '',
    parse: requestedUrl,
  },
  CANARY_TARGETS: {
    doc: 'TCP services (`host:port`, comma-separated, at most 10) that accept connections whenever the local network works. While none of them responds and most checks fail, failures that a missing network would explain are recorded as `unknown`. See [An outage of your own network](operations.md#an-outage-of-your-own-network).',
    default: '',
    parse: canaryTargets,
  },
  RDAP_BOOTSTRAP_URL: {
    doc: 'URL of the list of RDAP servers (RFC 9224), in which monitors of type `domain` look up the registry.',
    default: 'https://data.iana.org/rdap/dns.json',
    parse: requestedUrl,
  },
  MIN_INTERVAL_SECONDS: {
    doc: 'Shortest check interval that a monitor may use, in seconds.',
    default: '5',
    parse: integer(1, 86_400),
  },
  RETENTION_DAYS: {
    doc: 'Number of days for which individual check results are kept. Daily figures, transitions and pauses are not deleted.',
    default: '90',
    parse: integer(2, 3_650),
  },
  EVENT_RETENTION_DAYS: {
    doc: 'Number of days for which events, and so the audit log, are kept. Notifications are kept for this long after their incident ends.',
    default: '400',
    parse: integer(2, 36_500),
  },
  SPOOL_MAX_MB: {
    doc: 'Maximum size, in MiB, of the results that are spooled in `DATA_DIR/spool` while the database is unavailable. See [An outage of the database](operations.md#an-outage-of-the-database).',
    default: '1024',
    parse: integer(1, 1_048_576),
  },
  RATE_LIMIT_PER_MINUTE: {
    doc: 'Requests per minute allowed for each API key, across all processes that share a database. `0` disables the limit.',
    default: '600',
    parse: integer(0, 100_000_000),
  },
  AUTH_FAILURES_PER_MINUTE: {
    doc: 'Requests per minute without a valid API key allowed for each client address. `0` disables the limit.',
    default: '600',
    parse: integer(0, 100_000_000),
  },
  BODY_LIMIT_KB: { doc: 'Maximum size of a request body, in KiB.', default: '256', parse: integer(16, 16_384) },
  MAX_MONITORS_PER_TEAM: {
    doc: 'Maximum number of monitors per team. Exceeding any of these limits per team fails with 422 `limit_reached`.',
    default: '10000',
    parse: integer(1, 100_000_000),
  },
  MAX_STATUS_PAGES_PER_TEAM: {
    doc: 'Maximum number of status pages per team.',
    default: '1000',
    parse: integer(1, 100_000_000),
  },
  MAX_SUBSCRIBERS_PER_TEAM: {
    doc: 'Maximum number of confirmed subscribers of status pages per team.',
    default: '20000',
    parse: integer(1, 100_000_000),
  },
  MAX_MAINTENANCE_WINDOWS_PER_TEAM: {
    doc: 'Maximum number of maintenance windows per team, not counting those that are over.',
    default: '1000',
    parse: integer(1, 100_000_000),
  },
  MAX_NOTIFICATION_CHANNELS_PER_TEAM: {
    doc: 'Maximum number of notification channels per team.',
    default: '100',
    parse: integer(1, 100_000_000),
  },
  MAX_NOTIFICATION_POLICIES_PER_TEAM: {
    doc: 'Maximum number of notification policies per team.',
    default: '100',
    parse: integer(1, 100_000_000),
  },
  MAX_SILENCES_PER_TEAM: {
    doc: 'Maximum number of silences per team, not counting those that have ended.',
    default: '1000',
    parse: integer(1, 100_000_000),
  },
  MAX_OPEN_INCIDENTS_PER_TEAM: {
    doc: 'Maximum number of open manual incidents per team.',
    default: '1000',
    parse: integer(1, 100_000_000),
  },
  MAX_EXCLUSIONS_PER_TEAM: {
    doc: 'Maximum number of exclusions per team.',
    default: '10000',
    parse: integer(1, 100_000_000),
  },
  MAX_API_KEYS_PER_TEAM: {
    doc: 'Maximum number of API keys per team, not counting revoked ones.',
    default: '1000',
    parse: integer(1, 100_000_000),
  },
  MAX_PING_KEYS_PER_TEAM: {
    doc: 'Maximum number of ping keys per team.',
    default: '1000',
    parse: integer(1, 100_000_000),
  },
  MAX_LIVE_PAGES_PER_TEAM: {
    doc: 'Maximum number of open application pages per team that one process keeps up to date; 1,000 for all teams together. Further pages open normally but do not update.',
    default: '200',
    parse: integer(1, 100_000_000),
  },
  MAX_EVENT_STREAMS_PER_TEAM: {
    doc: 'Maximum number of open event streams (`GET /v1/events/stream`) per team and process; 1,000 for all teams together.',
    default: '50',
    parse: integer(1, 100_000_000),
  },
  METRICS_TOKEN: {
    doc: 'Bearer token for `GET /metrics`; see [Metrics](metrics.md). If unset, the route returns 404.',
    default: '',
    parse: optional,
  },
  METRICS_PORT: {
    doc: 'Separate port for the metrics, on `HOST`; `0` picks a free port. On this port, a token is required only if `METRICS_TOKEN` is set.',
    default: '',
    parse: optionalPort,
  },
  METRICS_PER_MONITOR: {
    doc: '`true` also exports the latest check of each monitor of every team, labelled with monitor names.',
    default: 'false',
    parse: flag,
  },
  DESIGN_PAGE: {
    doc: '`true` serves `/design`, a gallery of the page components, for developers of Daywatch.',
    default: 'false',
    parse: flag,
  },
  LOG_LEVEL: {
    doc: 'Lowest level to log: `fatal`, `error`, `warn`, `info`, `debug` or `silent`. Log lines are JSON on standard error.',
    default: 'info',
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent'),
  },
} satisfies Record<string, Setting<unknown>>;
