import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { isDatabaseAway } from '../../database/database-fault.js';
import { DetectedIncidentsService } from '../incidents/detected-incidents.service.js';
import { MaintenancePassesService } from '../maintenance/maintenance-passes.service.js';
import { MonitorLifecycleService } from '../monitors/state/monitor-lifecycle.service.js';
import { DispatcherService } from './dispatcher.service.js';
import { SlotClockService } from './slot-clock.service.js';

const SWEEP_MS = 1_000;
/** What is known of every monitor is read for it, so it is looked for less often. */
const SHOW_STALE_MS = 5_000;

/**
 * Writes down what time alone changes, so that lists can filter by it: pauses and maintenance, monitors expired, states
 * gone stale, incidents over.
 */
@Injectable()
export class SweeperService {
  private readonly logger = new Logger(SweeperService.name);
  private sweeping = false;
  private backFilling = true;
  private staleShownAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly lifecycle: MonitorLifecycleService,
    private readonly incidents: DetectedIncidentsService,
    private readonly maintenance: MaintenancePassesService,
    private readonly dispatcher: DispatcherService,
    private readonly clock: SlotClockService,
  ) {}

  @Interval(SWEEP_MS)
  async sweep(): Promise<void> {
    if (this.sweeping || !this.dispatcher.figures.dispatching) return;
    this.sweeping = true;
    try {
      // Callers gave these times by the wall clock.
      await this.lifecycle.endPauses(Date.now());
      await this.lifecycle.deleteExpired(Date.now());
      await this.maintenance.sweep(Date.now());
      await this.lifecycle.showMaintenance(Date.now());
      if (performance.now() - this.staleShownAt > SHOW_STALE_MS) {
        this.staleShownAt = performance.now();
        await this.lifecycle.showStale(this.clock.now());
      }
      await this.incidents.sweep(this.clock.now());
      // Once: only a migration leaves something to do.
      this.backFilling &&= await this.incidents.backFill(this.clock.now());
    } catch (error) {
      if (!isDatabaseAway(error)) this.logger.error('a sweep failed, the next one follows', error);
    } finally {
      this.sweeping = false;
    }
  }
}
