import { type ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { prepareCluster, type Cluster } from './cluster.js';
import { connectionTo, connectionUrl, type Connection } from './connection.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { initialiseCluster } from './initialise-cluster.js';
import { nativeBinaries, type NativeBinaries } from './native-binaries.js';
import { APPLICATION, ensureDatabase, openSession, takeOwnership } from './owner-session.js';
import { isPostmasterOf, livePostmaster } from './postmaster-file.js';
import { endServer, lastWords, launchPostmaster } from './postmaster.js';

/** Crash recovery reads up to `max_wal_size`, which takes a while on a slow disk. */
const READY_TIMEOUT_MS = 120_000;
const POLL_MS = 20;
/** Failed launches allowed in a row, because processes of a killed server hold its shared memory for a moment. */
const LAUNCHES = 6;
const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 5_000;
/** A server that has run this long is restarted without a delay. */
const STABLE_MS = 30_000;

export interface EmbeddedPostgresOptions {
  /** The `DATA_DIR` of the service. */
  readonly dataDir: string;
  readonly onLog?: (line: string) => void;
  /**
   * Called at most once, if another process took the cluster over while the server was down: this process must stop.
   */
  readonly onLost?: (error: EmbeddedPostgresError) => void;
}

/**
 * The PostgreSQL server of a service without DATABASE_URL. It is a separate process: if the service is killed with
 * SIGKILL, the server continues and is adopted at the next start. One process owns it at a time. While owned, it is
 * restarted whenever it dies; connections break then, and work again at the same address.
 */
export class EmbeddedPostgres {
  /** The connection of the application, as a role that is not a superuser. */
  readonly connection: Connection;
  private readonly stopping = new AbortController();
  private session: Client | null = null;
  private child: ChildProcess | null = null;
  private reviving: Promise<void> = Promise.resolve();
  private backoffMs = 0;
  private lost = false;

  private constructor(
    private readonly cluster: Cluster,
    private readonly native: NativeBinaries,
    private readonly options: EmbeddedPostgresOptions,
  ) {
    this.connection = connectionTo(cluster.socketDir, APPLICATION, APPLICATION);
  }

  /** Resolves once the server accepts connections. Throws EmbeddedPostgresError. */
  static async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const cluster = await prepareCluster(options.dataDir);
    const native = await nativeBinaries(cluster.account, cluster.home);
    await initialiseCluster(cluster, native, true);
    const server = new EmbeddedPostgres(cluster, native, options);
    try {
      await server.bringUp();
      return server;
    } catch (error) {
      if (!isInUse(error)) await server.stop();
      throw error;
    }
  }

  get url(): string {
    return connectionUrl(this.connection);
  }

  /** Stops the server and rolls back open transactions. Takes at most 21 s. Calling it again has no effect. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.reviving;
    if (this.lost) return;
    const { child } = this;
    if (child?.pid !== undefined && this.childLives()) {
      await endServer(child.pid, () => Promise.resolve(this.childLives()));
    } else if (this.session) {
      const adopted = await livePostmaster(this.cluster);
      if (adopted) await endServer(adopted.pid, () => isPostmasterOf(this.cluster, adopted.pid));
    }
    // Ends last: the session holds the ownership lock, and a successor must not adopt a server that is being stopped.
    await this.session?.end().catch(() => undefined);
  }

  /** Connects to a live server, or launches one if there is none, and becomes its owner. */
  private async bringUp(): Promise<void> {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    for (let launches = 0; ;) {
      const session = await openSession(this.cluster);
      if (session instanceof Client) {
        if (await this.own(session)) return;
      } else if (session === 'absent' && !this.childLives() && !(await livePostmaster(this.cluster))) {
        if (launches === LAUNCHES) throw await this.startFailure('PostgreSQL did not start');
        if (launches > 0) await this.pause(FIRST_BACKOFF_MS * 2 ** (launches - 1));
        launches += 1;
        this.child = await launchPostmaster(this.cluster, this.native, true);
        this.log(`PostgreSQL started (process ${this.child.pid}) in ${this.cluster.home}`);
      }
      if (Date.now() > deadline) throw await this.startFailure('PostgreSQL did not respond');
      await this.pause(POLL_MS);
    }
  }

  /** Returns false if the server went away meanwhile. */
  private async own(session: Client): Promise<boolean> {
    const ended = new Promise<void>((resolve) => session.once('end', resolve));
    try {
      await takeOwnership(session, this.cluster);
      await ensureDatabase(session);
    } catch (error) {
      await session.end().catch(() => undefined);
      if (error instanceof EmbeddedPostgresError) throw error;
      this.log(`The connection to PostgreSQL ended: ${(error as Error).message}`);
      return false;
    }
    if (!this.child) this.log(`Found a running PostgreSQL in ${this.cluster.home} and adopted it`);
    const since = Date.now();
    this.session = session;
    void ended.then(() => {
      this.session = null;
      if (this.stopping.signal.aborted) return;
      if (Date.now() - since > STABLE_MS) this.backoffMs = 0;
      this.reviving = this.revive();
    });
    return true;
  }

  private async revive(): Promise<void> {
    this.log('PostgreSQL stopped unexpectedly; restarting it');
    while (!this.stopping.signal.aborted) {
      try {
        await this.pause(this.backoffMs);
        this.backoffMs = Math.min(Math.max(FIRST_BACKOFF_MS, this.backoffMs * 2), MAX_BACKOFF_MS);
        await this.bringUp();
        return;
      } catch (error) {
        if (this.stopping.signal.aborted) return;
        this.log((error as Error).message);
        if (isInUse(error)) {
          this.lost = true;
          return this.options.onLost?.(error);
        }
      }
    }
  }

  private childLives(): boolean {
    return this.child !== null && this.child.exitCode === null && this.child.signalCode === null;
  }

  private async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.stopping.signal });
  }

  private async startFailure(what: string): Promise<EmbeddedPostgresError> {
    return new EmbeddedPostgresError('failed', `${what} in ${this.cluster.home}:\n${await lastWords(this.cluster)}`);
  }

  private log(line: string): void {
    this.options.onLog?.(line);
  }
}

function isInUse(error: unknown): error is EmbeddedPostgresError {
  return error instanceof EmbeddedPostgresError && error.fault === 'in_use';
}
