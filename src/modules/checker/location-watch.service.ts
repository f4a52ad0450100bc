import { Injectable, Logger } from '@nestjs/common';
import { Transactions, type Tx } from '../../database/tx.js';
import { type Comparison, voteless } from '../../domain/location-votes.js';
import { DISAGREES, NO_WORKER } from '../../domain/unobserved.js';
import { type LocationHealth, LocationHealthService } from '../locations/location-health.service.js';
import { LocationWorkersService } from '../locations/location-workers.service.js';
import {
  type EndedLoss,
  type LocationLoss,
  LocationLossesService,
} from '../monitors/history/location-losses.service.js';
import { LocationComparisonService } from '../monitors/state/location-comparison.service.js';

/** A location without a worker for this long is offline: a restart of its only worker takes less. */
const OFFLINE_AFTER_MS = 15_000;
const NO_WORKER_ERROR = { errorCode: NO_WORKER, message: 'No worker at the location responds.' };

/**
 * Watches the locations: finds those without a worker, and those whose results contradict the others, which then do not
 * count. Reports both to the teams with monitors there. All times are epoch milliseconds.
 */
@Injectable()
export class LocationWatchService {
  private readonly logger = new Logger(LocationWatchService.name);
  /** Since when this process has seen no worker at a location. */
  private readonly missingSince = new Map<string, number>();

  constructor(
    private readonly transactions: Transactions,
    private readonly health: LocationHealthService,
    private readonly workers: LocationWorkersService,
    private readonly comparison: LocationComparisonService,
    private readonly losses: LocationLossesService,
  ) {}

  async sweep(nowMs: number): Promise<void> {
    const locations = await this.health.read();
    await this.findOffline(locations, nowMs);
    await this.findVoteless(locations, nowMs);
  }

  private async findOffline(locations: readonly LocationHealth[], nowMs: number): Promise<void> {
    // Without Redis, it is unknown which workers are alive.
    if (!this.workers.areKnown) return this.missingSince.clear();
    const found = await this.workers.at(locations.map(({ key }) => key));
    for (const { key, enabled, offlineSince } of locations) {
      const isMissing = enabled && !found.has(key);
      const since = isMissing ? (this.missingSince.get(key) ?? nowMs) : null;
      if (since === null) this.missingSince.delete(key);
      else this.missingSince.set(key, since);
      if (since !== null && offlineSince === null && nowMs - since >= OFFLINE_AFTER_MS) {
        await this.transactions.run((tx) =>
          this.goesOffline(tx, { location: key, since, error: NO_WORKER_ERROR }, nowMs),
        );
      } else if (since === null && offlineSince !== null) {
        const loss = { location: key, since: offlineSince, errorCode: NO_WORKER };
        await this.transactions.run((tx) => this.isOnline(tx, loss, nowMs));
      }
    }
  }

  private async goesOffline(tx: Tx, loss: LocationLoss, nowMs: number): Promise<void> {
    const teams = await this.comparison.teamsAt(tx, loss.location);
    // As long as nobody uses it, it may be in preparation.
    if (teams.length === 0 || !(await this.health.begin(tx, loss.location, 'offlineSince', loss.since))) return;
    this.logger.warn(`no worker at the location ${loss.location} responds`);
    await this.losses.begin(tx, teams, loss, nowMs);
  }

  private async isOnline(tx: Tx, loss: EndedLoss, nowMs: number): Promise<void> {
    if (!(await this.health.end(tx, loss.location, 'offlineSince'))) return;
    this.logger.log(`a worker at the location ${loss.location} responds again, or the location was disabled`);
    await this.losses.end(tx, loss, nowMs);
  }

  private async findVoteless(locations: readonly LocationHealth[], nowMs: number): Promise<void> {
    const lostAt = new Map(
      locations.flatMap(({ key, votelessSince }) => (votelessSince === null ? [] : [[key, votelessSince] as const])),
    );
    if (locations.length === 1 && lostAt.size === 0) return;
    const disabled = locations.flatMap(({ key, enabled }) => (enabled ? [] : [key]));
    const uncounted = [...lostAt.keys(), ...disabled];
    const comparisons = await this.comparison.compare(uncounted, nowMs);
    const compared = new Set(comparisons.map(({ location }) => location));
    const alone = [...lostAt.keys()].filter((key) => !compared.has(key));
    const unrivalled = alone.length === 0 ? [] : await this.comparison.unrivalled(alone, uncounted, nowMs);
    const after = voteless(comparisons, new Set(lostAt.keys()), unrivalled);
    for (const one of comparisons) {
      const loss = { location: one.location, since: nowMs, error: disagreement(one) };
      if (after.has(one.location) && !lostAt.has(one.location)) {
        await this.transactions.run((tx) => this.losesVote(tx, loss));
      }
    }
    for (const [location, since] of lostAt) {
      if (after.has(location)) continue;
      await this.transactions.run((tx) => this.regainsVote(tx, { location, since, errorCode: DISAGREES }, nowMs));
    }
  }

  private async losesVote(tx: Tx, loss: LocationLoss): Promise<void> {
    if (!(await this.health.begin(tx, loss.location, 'votelessSince', loss.since))) return;
    this.logger.warn(`the results of the location ${loss.location} do not count: ${loss.error.message}`);
    await this.losses.beginNoVote(tx, loss.location, loss.since);
    await this.losses.begin(tx, await this.comparison.teamsAt(tx, loss.location), loss, loss.since);
  }

  private async regainsVote(tx: Tx, loss: EndedLoss, nowMs: number): Promise<void> {
    if (!(await this.health.end(tx, loss.location, 'votelessSince'))) return;
    this.logger.log(`the results of the location ${loss.location} count again`);
    await this.losses.endNoVote(tx, loss.location, nowMs);
    await this.losses.end(tx, loss, nowMs);
  }
}

function disagreement({ compared, failing }: Comparison): LocationLoss['error'] {
  const message = `${failing} of ${compared} monitors fail from this location but pass from others.`;
  return { errorCode: DISAGREES, message };
}
