import { hostname } from 'node:os';
import { originOf } from './origin-of.js';
import { type Role } from './roles.js';
import { SETTINGS } from './settings.js';

type Values = { [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['parse']> };

const POSTGRES_PORT = 5_432;
/** A connection string without a host, which `URL` rejects after a user name. */
const NO_HOST = /^(\w+:\/\/[^/]*@)(?=\/)/;
const REDIS_PORT = 6_379;

/** Thrown for wrong settings; lists all of them, one per line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
  }
}

/** Port numbers in memory that threads share. */
export type OwnPorts = Uint32Array<SharedArrayBuffer>;

/** The validated settings of this process. */
export class AppConfig {
  constructor(
    private readonly values: Values,
    /** Whether the database is the embedded one, which only this process uses. */
    readonly embedded = false,
  ) {
    this.ownPorts.set([values.PORT, values.METRICS_PORT ?? 0]);
  }

  /** The ports that this service listens on, 0 for none. Shared with threads that do not receive the settings. */
  readonly ownPorts: OwnPorts = new Uint32Array(new SharedArrayBuffer(8));

  /**
   * The service's own database and Redis, which no setting allows to reach. The embedded database has no network address.
   */
  get ownServers(): { host: string; port: number }[] {
    const database = this.embedded ? null : this.values.DATABASE_URL;
    return [...databaseOf(database), ...endpointOf(this.values.REDIS_URL, REDIS_PORT)];
  }

  /** Whether several processes may share the work. */
  get isShared(): boolean {
    return this.values.REDIS_URL !== null;
  }

  /** Whether this process has one of these roles. */
  has(...some: Role[]): boolean {
    return some.some((role) => this.values.ROLES.includes(role));
  }

  /** Whether this process only runs checks, and has no database. */
  get isWorker(): boolean {
    return this.values.ROLES.length === 1 && this.has('worker');
  }

  private listening: string | null = null;

  /** Where people reach the service, without a trailing slash: `PUBLIC_URL`, else the address it listens on. */
  get origin(): string {
    const { PUBLIC_URL, HOST, PORT } = this.values;
    return PUBLIC_URL ?? this.listening ?? originOf({ address: HOST, port: PORT });
  }

  /** The host names of the service. If it listens on all addresses, the machine's host name is one of them. */
  get hostNames(): string[] {
    const { HOST, PUBLIC_URL, ALLOWED_HOSTS } = this.values;
    const listening = ['0.0.0.0', '::'].includes(HOST) ? hostname() : HOST;
    return [listening, ...(PUBLIC_URL === null ? [] : [new URL(PUBLIC_URL).host]), ...ALLOWED_HOSTS];
  }

  /** Sets the address that the service listens on, because the settings may leave the choice of the port open. */
  listensOn(origin: string): void {
    this.listening = origin;
    this.ownPorts[0] = portOf(origin);
  }

  /** Sets the address that the metrics are served on, for the same reason. */
  metricsListenOn(origin: string): void {
    this.ownPorts[1] = portOf(origin);
  }

  get<Name extends keyof Values>(name: Name): Values[Name] {
    return this.values[name];
  }

  /** Returns a copy with some values replaced, for values that are known only after start-up begins. */
  with(changes: Partial<Values>): AppConfig {
    return new AppConfig({ ...this.values, ...changes }, this.embedded);
  }

  /** Returns a copy that uses the embedded database at this URL. */
  withEmbedded(url: string): AppConfig {
    return new AppConfig({ ...this.values, DATABASE_URL: url }, true);
  }
}

/**
 * Reads and validates every setting.
 * @throws ConfigError that names every wrong setting. It never quotes secrets.
 */
export function readConfig(env: Record<string, string | undefined> = process.env): AppConfig {
  const faults: string[] = [];
  const entries = Object.entries(SETTINGS).map(([name, setting]) => {
    try {
      return [name, setting.parse(env[name]?.trim() || setting.default)] as const;
    } catch (error) {
      faults.push(`${name} ${(error as Error).message}`);
      return [name, undefined] as const;
    }
  });
  const values = Object.fromEntries(entries) as Values;
  if (values.METRICS_PORT && values.METRICS_PORT === values.PORT) faults.push('METRICS_PORT must differ from PORT');
  const [email, password] = [values.ADMIN_EMAIL, values.ADMIN_PASSWORD];
  if (email && password === null) faults.push('ADMIN_EMAIL requires ADMIN_PASSWORD');
  if (password && email === null) faults.push('ADMIN_PASSWORD requires ADMIN_EMAIL');
  if (values.SMTP_URL && values.MAIL_FROM === null) faults.push('SMTP_URL requires MAIL_FROM');
  if (values.SUBSCRIBER_MAIL_FROM && values.SMTP_URL === null) faults.push('SUBSCRIBER_MAIL_FROM requires SMTP_URL');
  if (values.MAIL_FROM && values.SMTP_URL === null) faults.push('MAIL_FROM requires SMTP_URL');
  if (values.ROLES) faults.push(...faultsOfRoles(values));
  if (faults.length > 0) throw new ConfigError(faults);
  return new AppConfig(values);
}

/** Returns the host and port that a connection string names, if it names a host. */
function endpointOf(url: string | null, defaultPort: number): { host: string; port: number }[] {
  if (url === null || !URL.canParse(url)) return [];
  const { hostname, port } = new URL(url);
  return hostname === '' ? [] : [{ host: hostname, port: Number(port) || defaultPort }];
}

/**
 * Returns the host and port of the database, unless it is reached through a socket. As in the driver, parameters take
 * precedence, and without any host, the server is on this machine.
 */
function databaseOf(url: string | null): { host: string; port: number }[] {
  if (url === null) return [];
  const { hostname, port, searchParams } = new URL(url.replace(NO_HOST, '$1localhost'));
  const host = searchParams.get('host') || decodeURIComponent(hostname) || 'localhost';
  return host.startsWith('/') ? [] : [{ host, port: Number(searchParams.get('port') || port) || POSTGRES_PORT }];
}

/** Returns what is wrong about the roles together with other settings. */
function faultsOfRoles(values: Values): string[] {
  const { ROLES, REDIS_URL, DATABASE_URL, PUBLIC_URL, LOCATION, LOCATION_KEY, SECRET_KEY } = values;
  const splits = (some: readonly Role[]): boolean => {
    const had = some.filter((role) => ROLES.includes(role)).length;
    return had > 0 && had < some.length;
  };
  const isWorker = ROLES.length === 1 && ROLES[0] === 'worker';
  const faults: string[] = [];
  if (REDIS_URL === null && splits(['dispatcher', 'worker', 'recorder'])) {
    faults.push('ROLES must contain dispatcher, worker and recorder together, or none of them, without REDIS_URL');
  } else if (DATABASE_URL === null && splits(['api', 'dispatcher', 'recorder', 'notifier'])) {
    faults.push(
      'ROLES must contain api, dispatcher, recorder and notifier together, or worker alone, without DATABASE_URL',
    );
  } else if (isWorker && !LOCATION_KEY && !SECRET_KEY) {
    faults.push('LOCATION_KEY is required for a worker: npm run location:key prints it');
  }
  // The address that it listens on serves nothing that a link could lead to.
  if (ROLES.includes('notifier') && !ROLES.includes('api') && PUBLIC_URL === null) {
    faults.push('PUBLIC_URL is required for a notifier without the role api: it is the address in notifications');
  }
  if (REDIS_URL === null && LOCATION && LOCATION !== 'default') {
    faults.push('LOCATION requires REDIS_URL: a process without it is always the location default');
  }
  return faults;
}

/** Returns the port of an http origin. `URL` omits the default port. */
function portOf(origin: string): number {
  return Number(new URL(origin).port || 80);
}
