import { SETTINGS } from './settings.js';

type Values = { [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['parse']> };

/** All wrong settings at once, one line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
  }
}

/** Memory that threads share. */
export type OwnPorts = Uint32Array<SharedArrayBuffer>;

/** The validated settings of this process. */
export class AppConfig {
  constructor(
    private readonly values: Values,
    /** Whether the database is the embedded one, which this process alone uses. */
    readonly embedded = false,
  ) {
    this.ownPorts.set([values.PORT, values.METRICS_PORT ?? 0]);
  }

  /** The ports at which this service listens, 0 for none: shared, since threads ask for them that know no settings. */
  readonly ownPorts: OwnPorts = new Uint32Array(new SharedArrayBuffer(8));

  private listening: string | null = null;

  /** Where people reach the service, without a slash at the end: `PUBLIC_URL`, else the address it listens on. */
  get origin(): string {
    return this.values.PUBLIC_URL ?? this.listening ?? `http://${this.values.HOST}:${this.values.PORT}`;
  }

  /** Tells the address that was taken, where the settings leave the port open. */
  listensOn(origin: string): void {
    this.listening = origin;
    this.ownPorts[0] = portOf(origin);
  }

  /** The same of the metrics. */
  metricsListenOn(origin: string): void {
    this.ownPorts[1] = portOf(origin);
  }

  get<Name extends keyof Values>(name: Name): Values[Name] {
    return this.values[name];
  }

  /** A copy with some values replaced, for what is only known later. */
  with(changes: Partial<Values>): AppConfig {
    return new AppConfig({ ...this.values, ...changes }, this.embedded);
  }

  /** A copy that uses the embedded database at this address. */
  withEmbedded(url: string): AppConfig {
    return new AppConfig({ ...this.values, DATABASE_URL: url }, true);
  }
}

/**
 * Reads and validates every setting.
 * @throws ConfigError naming every wrong one, never its value: it may be a secret.
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
  if (values.METRICS_PORT && values.METRICS_PORT === values.PORT)
    faults.push('METRICS_PORT wants another port than PORT');
  const [email, password] = [values.ADMIN_EMAIL, values.ADMIN_PASSWORD];
  if (email && password === null) faults.push('ADMIN_EMAIL wants ADMIN_PASSWORD, too');
  if (password && email === null) faults.push('ADMIN_PASSWORD wants ADMIN_EMAIL, too');
  if (faults.length > 0) throw new ConfigError(faults);
  return new AppConfig(values);
}

/** `URL` leaves out the usual one. */
function portOf(origin: string): number {
  return Number(new URL(origin).port || 80);
}
