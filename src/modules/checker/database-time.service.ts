import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { AppConfig } from '../../config/app-config.js';
import { isDatabaseAway } from '../../database/database-fault.js';
import { LeaseService } from './lease.service.js';
import { RemoteClock } from './remote-clock.js';
import { SlotClockService } from './slot-clock.service.js';

const COMPARE_MS = 1_000;

/**
 * If processes share the work, keeps the slot clock in step with the clock of the database: the system clocks of several
 * machines differ. While the database is away, the clock continues by itself.
 */
@Injectable()
export class DatabaseTimeService implements OnModuleInit {
  private readonly logger = new Logger(DatabaseTimeService.name);
  private readonly remote: RemoteClock;
  private comparing = false;

  constructor(
    private readonly config: AppConfig,
    private readonly dataSource: DataSource,
    private readonly clock: SlotClockService,
    private readonly lease: LeaseService,
  ) {
    this.remote = new RemoteClock(() => this.ask());
  }

  /**
   * Before anything asks for the time. If the clock of the database was set back, the slots that are served are ahead of
   * it: a process that started behind them would drop their results, whose times seem impossible.
   */
  async onModuleInit(): Promise<void> {
    if (!this.config.isShared) return;
    await this.compare();
    this.clock.startAfter(Math.max(...(await this.lease.servedUntil()).values()));
  }

  @Interval(COMPARE_MS)
  async keepInStep(): Promise<void> {
    if (!this.config.isShared || this.comparing) return;
    this.comparing = true;
    try {
      await this.compare();
    } catch (error) {
      if (!isDatabaseAway(error)) this.logger.error('could not read the clock of the database', error);
    } finally {
      this.comparing = false;
    }
  }

  private async compare(): Promise<void> {
    this.clock.follow(await this.remote.compare());
  }

  private async ask(): Promise<number> {
    const [row]: { ms: number }[] = await this.dataSource.query(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
    );
    return row!.ms;
  }
}
