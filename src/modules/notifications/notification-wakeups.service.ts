import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type QueryRunner } from 'typeorm';
import { UNPLANNED_CHANNEL } from '../events/event.types.js';

interface ListeningClient {
  on(event: 'notification', listener: () => void): void;
  once(event: 'end', listener: () => void): void;
  removeAllListeners(event: 'notification' | 'end'): void;
}

/**
 * Hears of new events as soon as their transactions commit. Only a shortcut: the planner also looks for them on its own,
 * so nothing depends on the connection.
 */
@Injectable()
export class NotificationWakeups {
  private readonly logger = new Logger(NotificationWakeups.name);
  private runner: QueryRunner | null = null;
  private client: ListeningClient | null = null;

  constructor(private readonly dataSource: DataSource) {}

  /** Listens on a separate connection, unless it already does. Calls `onEvent` for each commit with marked events. */
  async ensure(onEvent: () => void): Promise<void> {
    if (this.runner) return;
    const runner = this.dataSource.createQueryRunner();
    this.runner = runner;
    try {
      const client = (await runner.connect()) as ListeningClient;
      this.client = client;
      client.on('notification', onEvent);
      client.once('end', () => void this.close(runner));
      await runner.query(`LISTEN ${UNPLANNED_CHANNEL}`);
    } catch (error) {
      this.logger.debug('could not listen for events', error);
      await this.close(runner);
    }
  }

  /** Stops listening. */
  async stop(): Promise<void> {
    const { runner } = this;
    if (!runner) return;
    await runner.query(`UNLISTEN ${UNPLANNED_CHANNEL}`).catch(() => undefined);
    await this.close(runner);
  }

  private async close(runner: QueryRunner): Promise<void> {
    if (this.runner !== runner) return;
    this.runner = null;
    this.client?.removeAllListeners('notification');
    this.client = null;
    await runner.release().catch(() => undefined);
  }
}
