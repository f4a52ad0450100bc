import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Redis } from 'ioredis';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

const PROGRAMS = ['redis-server', 'valkey-server'];

/** The program of a Redis server on this machine; undefined if there is none. */
export const REDIS_PROGRAM = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => PROGRAMS.map((program) => join(folder, program)))
  .find((path) => existsSync(path));

/** A Redis server of one test, which stores nothing but its users. Only the test restarts it. */
export class RedisServer {
  private child: ChildProcess | null = null;

  private constructor(
    private readonly program: string,
    private readonly folder: string,
    readonly port: number,
  ) {}

  /** Starts a server on 127.0.0.1 and a free port. @throws if there is no program for it */
  static async make(): Promise<RedisServer> {
    if (!REDIS_PROGRAM) {
      throw new Error(`This needs ${PROGRAMS.join(' or ')} in PATH, such as from the package redis-server of Debian.`);
    }
    const folder = await mkdtemp(join(tmpdir(), 'daywatch-redis-'));
    await writeFile(join(folder, 'users.acl'), 'user default on nopass ~* &* +@all\n');
    const server = new RedisServer(REDIS_PROGRAM, folder, await freePort());
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts the server, empty. Resolves once it accepts commands. */
  async start(): Promise<void> {
    const options = {
      ...{ port: this.port, bind: '127.0.0.1', dir: this.folder, save: '', appendonly: 'no', loglevel: 'warning' },
      ...{ aclfile: join(this.folder, 'users.acl'), 'maxmemory-policy': 'noeviction' },
    };
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    this.child = spawn(this.program, args, { stdio: 'ignore' });
    await eventually(() => this.run('PING'));
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Runs a command as the operator. Rejects if the server does not accept it now. */
  async run(command: string, ...args: readonly string[]): Promise<unknown> {
    const client = new Redis(this.url, { lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await client.call(command, ...args);
    } finally {
      client.disconnect();
    }
  }

  async remove(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}
