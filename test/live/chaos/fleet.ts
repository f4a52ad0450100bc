import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { locationKey } from '../../../src/modules/checks/job-secrets.service.js';
import { OwnCluster } from '../../support/own-cluster.js';
import { RedisServer } from '../../support/redis-server.js';
import { type Relay, startRelay } from '../../support/relay.js';
import { ServiceProcess } from '../../support/service.js';
import { Keeper } from './keeper.js';
import { type Fault, type Member } from './plan.js';

const run = promisify(execFile);
const LOCATION_COMMAND = new URL('../../../src/commands/location.js', import.meta.url).pathname;
const SECRET_KEY = 'k'.repeat(40);
/** The location whose workers reach Redis through a relay, with a user of their own. */
export const FAR = 'eu-west';
export const NEAR = 'default';

/** A fault as it happened; epoch milliseconds. */
export interface Happened extends Fault {
  from: number;
  to: number;
  /** Whether there was something to interrupt: a process that is being started is not. */
  isApplied: boolean;
}

/** PostgreSQL, Redis, and processes of the service in two locations, each under a keeper. */
export class Fleet {
  readonly keepers = new Map<Member, Keeper>();
  readonly happened: Happened[] = [];
  private farSettings: Record<string, string> = {};
  private apiKey = '';

  private constructor(
    readonly cluster: OwnCluster,
    readonly redis: RedisServer,
    private readonly relay: Relay,
    private readonly folder: string,
    private readonly members: readonly Member[],
    private readonly main: string | undefined,
  ) {
    // Suspended processes would outlive this one.
    process.once('exit', () => this.keepers.forEach((keeper) => keeper.abandon()));
  }

  /**
   * Starts the servers and these processes; the first one must serve the API.
   * @param prepare runs before anything is recorded, with the schema in place
   * @param main the entry file of a broken variant of the service
   */
  static async open(
    members: readonly Member[],
    prepare: (fleet: Fleet) => Promise<void> = () => Promise.resolve(),
    main?: string,
  ): Promise<Fleet> {
    const redis = await RedisServer.make();
    const cluster = await OwnCluster.make();
    const relay = await startRelay(() => connect(redis.port, '127.0.0.1'));
    const folder = await mkdtemp(join(tmpdir(), 'daywatch-chaos-'));
    const fleet = new Fleet(cluster, redis, relay, folder, members, main);
    try {
      await fleet.start(prepare);
      return fleet;
    } catch (error) {
      await fleet.close();
      throw error;
    }
  }

  keeper(member: Member): Keeper {
    return this.keepers.get(member)!;
  }

  /** The addresses of the running processes that serve the API. */
  get origins(): string[] {
    return (['api-1', 'api-2'] as const).flatMap((name) => this.keepers.get(name)?.running?.origin ?? []);
  }

  get key(): string {
    return this.apiKey;
  }

  /** The address of Redis for the workers of the far location. */
  get farRedisUrl(): string {
    return this.farSettings.REDIS_URL!;
  }

  /** The folder in which a process keeps results while neither the database nor Redis does. */
  spoolOf(member: Member): string {
    return join(this.dataDir(member), 'spool');
  }

  /** Lets a fault happen. Resolves when it is over. */
  async apply(fault: Fault): Promise<void> {
    const from = Date.now();
    const isApplied = await this.interrupt(fault);
    this.happened.push({ ...fault, from, to: Date.now(), isApplied });
  }

  async close(): Promise<void> {
    await Promise.all([...this.keepers.values()].map((keeper) => keeper.close()));
    await this.relay.cut().catch(() => undefined);
    await this.redis.remove();
    await this.cluster.remove();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async interrupt({ kind, forMs, member }: Fault): Promise<boolean> {
    switch (kind) {
      case 'kill':
        return this.keeper(member!).kill();
      case 'suspend':
        return this.keeper(member!).suspend(forMs);
      case 'redis-flush':
        await this.redis.run('FLUSHALL');
        return true;
      case 'redis-restart':
        await this.redis.kill();
        await delay(forMs);
        await this.redis.start();
        return true;
      case 'postgres-fast':
      case 'postgres-immediate':
        await this.cluster.stop(kind === 'postgres-fast' ? 'fast' : 'immediate');
        await delay(forMs);
        await this.cluster.start();
        return true;
      case 'cut-off':
        await this.relay.cut();
        await delay(forMs);
        await this.relay.restore();
        return true;
    }
  }

  private async start(prepare: (fleet: Fleet) => Promise<void>): Promise<void> {
    const [first, ...others] = this.members;
    await this.openKeeper(first!);
    this.apiKey = this.keeper(first!).running!.key;
    for (const member of others) {
      await mkdir(this.dataDir(member), { recursive: true });
      await copyFile(join(this.dataDir(first!), 'initial-api-key'), join(this.dataDir(member), 'initial-api-key'));
    }
    await prepare(this);
    await this.createFarLocation(first!);
    await Promise.all(others.map((member) => this.openKeeper(member)));
  }

  private async openKeeper(member: Member): Promise<void> {
    const keeper = new Keeper(member, () =>
      ServiceProcess.start(this.dataDir(member), this.settingsOf(member), this.main),
    );
    this.keepers.set(member, keeper);
    await mkdir(this.dataDir(member), { recursive: true });
    await keeper.open();
  }

  private settingsOf(member: Member): Record<string, string> {
    const role = member.replace(/-\d$/, '');
    const shared = { LOG_LEVEL: 'warn', ALLOW_PRIVATE_TARGETS: '127.0.0.0/8', REDIS_URL: this.redis.url };
    if (role === 'worker') return { ...shared, ROLES: 'worker', LOCATION_KEY: locationKey(SECRET_KEY, NEAR) };
    if (role === 'far-worker') return { ...shared, ...this.farSettings };
    const database = `${this.cluster.url}&application_name=${member}`;
    const links: Record<string, string> = role === 'notifier' ? { PUBLIC_URL: 'http://127.0.0.1' } : {};
    return { ...shared, ROLES: role, ...this.withDatabase, DATABASE_URL: database, ...links };
  }

  private get withDatabase(): Record<string, string> {
    return {
      ...{ DATABASE_URL: this.cluster.url, SECRET_KEY, DATABASE_POOL: '4', MIN_INTERVAL_SECONDS: '1' },
      ALLOW_PRIVATE_CHANNELS: '127.0.0.0/8',
    };
  }

  /** Creates the location as its operator does, with its user in Redis, which survives restarts. */
  private async createFarLocation(first: Member): Promise<void> {
    const { PATH, HOME, TMPDIR } = process.env;
    const env = {
      PATH,
      HOME,
      TMPDIR,
      ...this.withDatabase,
      REDIS_URL: this.redis.url,
      DATA_DIR: this.dataDir(first),
    };
    const { stdout } = await run(process.execPath, [LOCATION_COMMAND, 'create', FAR], { env });
    const [, acl] = /^(ACL SETUSER .*)$/m.exec(stdout)!;
    const [name, ...args] = acl!.split(' ');
    await this.redis.run(name!, ...args);
    await this.redis.run('ACL', 'SAVE');
    for (const [, key, value] of stdout.matchAll(/^([A-Z_]+)=(.*)$/gm)) this.farSettings[key!] = value!;
    const address = this.farSettings.REDIS_URL!.replace('rediss:', 'redis:');
    this.farSettings.REDIS_URL = address.replace('redis:6379', `127.0.0.1:${this.relay.port}`);
  }

  private dataDir(member: Member): string {
    return join(this.folder, member);
  }
}
