import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { clusterAt, prepareFolders, type Cluster } from '../../src/database/embedded/cluster.js';
import { connectionTo, connectionUrl } from '../../src/database/embedded/connection.js';
import { initialiseCluster } from '../../src/database/embedded/initialise-cluster.js';
import { nativeBinaries, type NativeBinaries } from '../../src/database/embedded/native-binaries.js';
import { APPLICATION, ensureDatabase, openSession } from '../../src/database/embedded/owner-session.js';
import { isAlive, livePostmaster } from '../../src/database/embedded/postmaster-file.js';
import { launchPostmaster } from '../../src/database/embedded/postmaster.js';
import { newServerAccount } from '../../src/database/embedded/server-account.js';
import { eventually } from './eventually.js';

const run = promisify(execFile);
const START_WITHIN_MS = 60_000;

/** A durable PostgreSQL server of one test, whose processes it may kill and stop. Only the test restarts it. */
export class OwnCluster {
  private constructor(
    private readonly cluster: Cluster,
    private readonly native: NativeBinaries,
  ) {}

  static async make(): Promise<OwnCluster> {
    const account = await newServerAccount();
    const cluster = clusterAt(await mkdtemp(join(await realpath(tmpdir()), 'daywatch-own-')), account);
    await prepareFolders(cluster);
    const native = await nativeBinaries(account, cluster.home);
    await initialiseCluster(cluster, native, true);
    const own = new OwnCluster(cluster, native);
    await own.start();
    return own;
  }

  get url(): string {
    return connectionUrl(connectionTo(this.cluster.socketDir, APPLICATION, APPLICATION));
  }

  /** Starts the server. Resolves once it accepts connections. */
  async start(): Promise<void> {
    await launchPostmaster(this.cluster, this.native, true);
    await eventually(async () => {
      const session = await openSession(this.cluster);
      if (!(session instanceof Client)) throw new Error(`PostgreSQL is ${session}`);
      await ensureDatabase(session);
      await session.end();
    }, START_WITHIN_MS);
  }

  /** Kills every process of the server with SIGKILL. Resolves once they have ended. */
  async kill(): Promise<void> {
    const pids = await this.signal('SIGKILL');
    await eventually(() => {
      if (pids.some((pid) => isAlive(pid))) throw new Error('PostgreSQL is still running');
    });
  }

  /** Ends the server as its operator would: `fast` ends its sessions first, `immediate` leaves recovery to its start. */
  async stop(how: 'fast' | 'immediate'): Promise<void> {
    const postmaster = await livePostmaster(this.cluster);
    if (!postmaster) return;
    process.kill(postmaster.pid, how === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await eventually(() => {
      if (isAlive(postmaster.pid)) throw new Error('PostgreSQL is still running');
    });
  }

  /** Stops every process of the server: connections are accepted and stay open, but nothing responds. */
  async freeze(): Promise<void> {
    await this.signal('SIGSTOP');
  }

  async thaw(): Promise<void> {
    await this.signal('SIGCONT');
  }

  /** Returns the rows of a query. */
  async query<Row extends object>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    const client = new Client({ connectionString: this.url });
    await client.connect();
    try {
      return (await client.query<Row>(sql, parameters)).rows;
    } finally {
      await client.end();
    }
  }

  async remove(): Promise<void> {
    await this.kill();
    await rm(this.cluster.home, { recursive: true, force: true });
    await rm(this.cluster.socketDir, { recursive: true, force: true });
  }

  private async signal(signal: NodeJS.Signals): Promise<number[]> {
    const postmaster = await livePostmaster(this.cluster);
    if (!postmaster) return [];
    const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=']);
    const children = stdout
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .filter(([, parent]) => parent === postmaster.pid)
      .map(([pid]) => pid!);
    const pids = [postmaster.pid, ...children];
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
    return pids;
  }
}
