import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { areDue } from '../../database/are-due.js';
import { isDatabaseAway } from '../../database/database-fault.js';
import { ExpiringApiKeysService } from '../api-keys/expiring-api-keys.service.js';
import { CERTIFICATES_DUE, ExpiringCertificatesService } from '../certificates/expiring-certificates.service.js';
import { DOMAINS_DUE, ExpiringDomainsService } from '../domains/expiring-domains.service.js';
import { DetectedIncidentsService } from '../incidents/detected-incidents.service.js';
import { DRILLS_DUE, DrillsService } from '../incidents/drills.service.js';
import { MaintenancePassesService, WINDOWS_DUE } from '../maintenance/maintenance-passes.service.js';
import { UnreportedHeartbeatsService } from '../monitors/heartbeat/unreported-heartbeats.service.js';
import {
  EXPIRIES_DUE,
  MAINTENANCE_STATES_DUE,
  MonitorLifecycleService,
  PAUSES_DUE,
} from '../monitors/state/monitor-lifecycle.service.js';
import { UnobservedMonitorsService } from '../monitors/state/unobserved-monitors.service.js';
import { LocationWatchService } from './location-watch.service.js';
import { SlotClockService } from './slot-clock.service.js';
import { SweeperLeaseLost, SweeperLeaseService } from './sweeper-lease.service.js';
import { UnbrokenWatch } from './unbroken-watch.js';

const SWEEP_MS = 1_000;
/** Marking stale states reads the state of every monitor, so it runs less often. */
const SHOW_STALE_MS = 5_000;
/** Comparing incidents with states reads all that are open, so it waits longer the more of them there are. */
const MAX_INCIDENTS_SHARE = 0.05;

/** What becomes due at a time that is stored. */
interface DueWork {
  /** What it does, to complete the sentence `could not …`. */
  readonly what: string;
  /** SQL condition: some of it is due at `$1`. */
  readonly due: string;
  /** Does it, or some of it: the next sweep does the rest. */
  readonly run: (nowMs: number) => Promise<void>;
}

/**
 * Stores changes that only the passing of time causes, so that lists can filter by them: the ends of pauses,
 * maintenance and drills, expired monitors, certificates, domains and API keys that expire soon, stale states, monitors
 * that have not been observed for some time, heartbeat monitors that have never had a report, locations that do not
 * respond or disagree with others, and incidents that resolve.
 */
@Injectable()
export class SweeperService {
  private readonly logger = new Logger(SweeperService.name);
  private sweeping = false;
  private backFilling = true;
  private readonly watch = new UnbrokenWatch();
  private staleShownAt = Number.NEGATIVE_INFINITY;
  private incidentsDueAt = 0;
  private readonly works: readonly DueWork[];

  constructor(
    private readonly dataSource: DataSource,
    private readonly lifecycle: MonitorLifecycleService,
    private readonly incidents: DetectedIncidentsService,
    drills: DrillsService,
    maintenance: MaintenancePassesService,
    private readonly certificates: ExpiringCertificatesService,
    domains: ExpiringDomainsService,
    private readonly unobserved: UnobservedMonitorsService,
    private readonly unreported: UnreportedHeartbeatsService,
    private readonly apiKeys: ExpiringApiKeysService,
    private readonly locations: LocationWatchService,
    private readonly lease: SweeperLeaseService,
    private readonly clock: SlotClockService,
  ) {
    this.works = [
      { what: 'end pauses', due: PAUSES_DUE, run: (nowMs) => lifecycle.endPauses(nowMs) },
      { what: 'delete expired monitors', due: EXPIRIES_DUE, run: (nowMs) => lifecycle.deleteExpired(nowMs) },
      { what: 'end drills', due: DRILLS_DUE, run: (nowMs) => drills.endDue(nowMs) },
      {
        what: 'begin and end maintenance',
        due: `${WINDOWS_DUE} OR ${MAINTENANCE_STATES_DUE}`,
        run: async (nowMs) => {
          await maintenance.sweep(nowMs);
          // A window that was just processed may have changed what its monitors show.
          await lifecycle.showMaintenance(Date.now());
        },
      },
      { what: 'report expiring certificates', due: CERTIFICATES_DUE, run: (nowMs) => certificates.sweep(nowMs) },
      { what: 'report expiring domains', due: DOMAINS_DUE, run: (nowMs) => domains.sweep(nowMs) },
    ];
  }

  @Interval(SWEEP_MS)
  async sweep(): Promise<void> {
    if (this.sweeping || !this.lease.isHeld) return;
    this.sweeping = true;
    try {
      await this.lease.hold(() => this.sweepAll());
    } catch (error) {
      if (!isInterruption(error)) this.logger.error('could not find out what is due; will retry', error);
    } finally {
      this.sweeping = false;
    }
  }

  private async sweepAll(): Promise<void> {
    // These times were specified by callers, so they are compared with the system clock.
    const conditions = this.works.map(({ due }) => due);
    const due = await areDue(this.dataSource, conditions, Date.now());
    for (const { what, run } of this.works.filter((_, index) => due[index])) {
      await this.attempt(what, () => run(Date.now()));
    }
    await this.attempt('forget old certificates', () => this.certificates.forgetOld(Date.now()));
    await this.attempt('report expiring API keys', () => this.apiKeys.sweep(Date.now()));
    await this.attempt('find jobs that have never reported', () => this.unreported.sweep(Date.now()));
    if (performance.now() - this.staleShownAt > SHOW_STALE_MS) {
      this.staleShownAt = performance.now();
      await this.attempt('mark stale states', () => this.lifecycle.showStale(this.clock.now()));
      await this.attempt('find unobserved monitors', () => {
        return this.unobserved.sweep(this.clock.now(), this.watch.note(this.clock.now()));
      });
      await this.attempt('watch locations', () => this.locations.sweep(this.clock.now()));
    }
    await this.attempt('update incidents', () => this.sweepIncidents());
    await this.attempt('complete earlier incidents', () => this.backFill());
  }

  /**
   * Runs one kind of work. Its failure is logged, and delays no other kind.
   * @throws if the database is away or the lease is lost, which end the sweep
   */
  private async attempt(what: string, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (isInterruption(error)) throw error;
      this.logger.error(`could not ${what}; will retry`, error);
    }
  }

  private async sweepIncidents(): Promise<void> {
    const from = performance.now();
    if (from < this.incidentsDueAt) return;
    await this.incidents.sweep(this.clock.now());
    const to = performance.now();
    this.incidentsDueAt = to + (to - from) / MAX_INCIDENTS_SHARE;
  }

  /** Continues until nothing is left: only a migration creates work for this. */
  private async backFill(): Promise<void> {
    this.backFilling &&= await this.incidents.backFill(this.clock.now());
  }
}

function isInterruption(error: unknown): boolean {
  return isDatabaseAway(error) || error instanceof SweeperLeaseLost;
}
