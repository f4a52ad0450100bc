import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { AppConfig } from '../config/app-config.js';
import { ConnectionGate, endConnection } from './impatient-client.js';

const EVERY_MS = 1_000;
/** Less would take a busy database, or a long way to it, for one that is gone. */
const PATIENCE_MS = 5_000;

/**
 * Asks the database, each second and on a connection of its own, whether it answers at all: a server that is stopped, or
 * a network that swallows what is sent, refuses nothing. Where there is no answer for 5 s, every connection is ended and
 * none is made until there is one, so that nobody waits for the limits of single queries. Errors are answers: who meets
 * them knows at once anyway.
 */
@Injectable()
export class DatabaseWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(DatabaseWatch.name);
  private readonly stopping = new AbortController();
  private client: Client | null = null;
  private silent = false;

  constructor(
    private readonly config: AppConfig,
    private readonly gate: ConnectionGate,
  ) {}

  onApplicationBootstrap(): void {
    void this.watch();
  }

  onApplicationShutdown(): void {
    this.stopping.abort();
    this.disconnect();
  }

  private async watch(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const answers = await this.answers();
      if (this.stopping.signal.aborted) return this.disconnect();
      if (!answers) this.disconnect();
      if (answers === this.silent) this.turn(!answers);
      await delay(EVERY_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  private turn(silent: boolean): void {
    this.silent = silent;
    if (silent) {
      this.logger.error(`the database has not answered for ${PATIENCE_MS / 1_000} s: its connections are given up`);
      this.gate.close();
    } else {
      this.logger.log('the database answers again');
      this.gate.reopen();
    }
  }

  /** Whether anything comes back within the patience, be it an error. */
  private async answers(): Promise<boolean> {
    const patience = new AbortController();
    const asked = this.ask().then(
      () => true,
      () => {
        this.disconnect();
        return true;
      },
    );
    const silence = delay(PATIENCE_MS, undefined, { signal: patience.signal })
      // A process that was stopped itself finds the answer that has been there for long once it has looked.
      .then(() => nextTurn(false));
    const answered = await Promise.race([asked, silence]);
    patience.abort();
    await silence.catch(() => undefined);
    return answered;
  }

  private async ask(): Promise<void> {
    if (!this.client) {
      const client = new Client({ connectionString: this.config.get('DATABASE_URL') ?? '', keepAlive: true });
      // Its next question finds out; an error event without a listener would end the process.
      client.on('error', () => undefined);
      this.client = client;
      await client.connect();
    }
    await this.client.query('SELECT 1');
  }

  private disconnect(): void {
    if (this.client) endConnection(this.client);
    this.client = null;
  }
}
