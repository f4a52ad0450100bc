import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { AppConfig } from '../config/app-config.js';
import { ConnectionGate, endConnection } from './impatient-client.js';

const EVERY_MS = 1_000;
/** A shorter limit would mistake a busy or distant database for an unavailable one. */
const PATIENCE_MS = 5_000;

/**
 * Asks the database every second, on a separate connection, whether it responds. A server that is suspended, or a
 * network that drops packets, does not refuse connections. After 5 s without a response, all connections are closed and
 * none is opened until the database responds again, so that callers do not wait for the timeouts of single queries. An
 * error counts as a response, because the caller that receives it knows at once anyway.
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
      this.logger.error(`the database has not responded for ${PATIENCE_MS / 1_000} s: closing all connections to it`);
      this.gate.close();
    } else {
      this.logger.log('the database responds again');
      this.gate.reopen();
    }
  }

  /** Returns whether anything arrives within `PATIENCE_MS`, be it an error. */
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
      // If this process was suspended itself, a response may have arrived long ago: one more turn lets it be processed.
      .then(() => nextTurn(false));
    const answered = await Promise.race([asked, silence]);
    patience.abort();
    await silence.catch(() => undefined);
    return answered;
  }

  private async ask(): Promise<void> {
    if (!this.client) {
      const client = new Client({ connectionString: this.config.get('DATABASE_URL') ?? '', keepAlive: true });
      // The next query notices the loss. An error event without a listener would end the process.
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
