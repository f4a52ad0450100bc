import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { groupBy } from '../../domain/group-by.js';
import { type WorkerReport } from '../../redis/worker-report.js';
import { CheckQueueStateService } from '../checker/check-queue-state.service.js';
import { DispatcherService } from '../checker/dispatcher.service.js';
import { RecorderLeasesService } from '../checker/recorder-leases.service.js';
import { KnownLocationsService } from '../locations/known-locations.service.js';
import { LocationWorkersService } from '../locations/location-workers.service.js';
import { familyText, type Sample } from './exposition.js';

/**
 * What several processes share: shards, queues and workers. Dispatchers and recorders report what waits in the queues of
 * the shards that they hold, and dispatchers the workers, so what they say about the same thing is the same.
 */
@Injectable()
export class SharedWorkService {
  /** By location; `null` while they are unknown. */
  private workers: ReadonlyMap<string, readonly WorkerReport[]> | null = null;

  constructor(
    private readonly config: AppConfig,
    private readonly queue: CheckQueueStateService,
    private readonly dispatcher: DispatcherService,
    private readonly recorded: RecorderLeasesService,
    private readonly known: KnownLocationsService,
    private readonly reports: LocationWorkersService,
  ) {}

  /** The keys of all locations. */
  get locations(): readonly string[] {
    return this.known.keys;
  }

  /** Reads which workers are alive. Throws if the database is unavailable; the workers are then unknown. */
  async read(): Promise<void> {
    if (!this.config.has('dispatcher')) return;
    try {
      const found = await this.reports.at(this.locations);
      this.workers = this.reports.areKnown ? found : null;
    } catch (error) {
      this.workers = null;
      throw error;
    }
  }

  /** Returns the metric families in the text format. What is unknown has no samples. */
  text(): string {
    return this.shardsText() + this.queuesText() + this.workersText();
  }

  private shardsText(): string {
    const { shards } = this.dispatcher.figures;
    const samples: Sample[] = [];
    if (this.config.has('dispatcher')) samples.push([{ role: 'dispatcher' }, shards]);
    // If processes do not share the work, the one that dispatches also records.
    const recorded = this.config.isShared ? this.recorded.shards : shards;
    if (this.config.has('recorder')) samples.push([{ role: 'recorder' }, recorded]);
    return familyText('daywatch_shards_held', 'gauge', 'Shards that this process serves, by role.', samples);
  }

  private queuesText(): string {
    const waiting = this.config.has('dispatcher', 'recorder') ? this.queue.waiting : [];
    const checks = waiting.filter(({ queue }) => queue === 'checks');
    const byQueue = groupBy(waiting, ({ queue, location }) => JSON.stringify({ queue, location }));
    const byShard = groupBy(
      waiting.filter(({ queue }) => queue === 'results'),
      ({ shard }) => String(shard),
    );
    return [
      familyText(
        'daywatch_queue_delay_seconds',
        'gauge',
        'How long the oldest batch of checks or results has been waiting in Redis, otherwise 0.',
        Array.from(byQueue.values(), (some): Sample => {
          const { queue, location } = some[0]!;
          return [{ queue, location }, Math.max(...some.map(({ delayMs }) => delayMs)) / 1_000];
        }),
      ),
      familyText(
        'daywatch_queue_check_batches',
        'gauge',
        'Batches of up to 100 checks that wait in Redis for a worker.',
        checks.map(({ location, batches }): Sample => [{ location }, batches]),
      ),
      familyText(
        'daywatch_queue_result_batches',
        'gauge',
        'Batches of up to 100 results that wait in Redis for a recorder.',
        Array.from(byShard, ([shard, some]): Sample => {
          return [{ shard }, some.reduce((sum, { batches }) => sum + batches, 0)];
        }),
      ),
    ].join('');
  }

  private workersText(): string {
    const at = (location: string): readonly WorkerReport[] => this.workers?.get(location) ?? [];
    // Those that are disabled need no workers.
    const seen = this.workers === null ? [] : this.known.enabledKeys;
    const staffed = seen.filter((location) => at(location).length > 0);
    const mean = (some: readonly number[]): number => some.reduce((sum, one) => sum + one, 0) / some.length;
    return [
      familyText(
        'daywatch_workers',
        'gauge',
        'Processes that make checks at a location.',
        seen.map((location): Sample => [{ location }, at(location).length]),
      ),
      familyText(
        'daywatch_workers_busy_ratio',
        'gauge',
        'Share of the time in which the probe threads at a location work, as a mean of its workers.',
        staffed.map((location): Sample => [
          { location },
          mean(at(location).map(({ busyPercent }) => busyPercent)) / 100,
        ]),
      ),
      familyText(
        'daywatch_location_lag_seconds',
        'gauge',
        'How late checks start at a location: in its slowest worker, or the delay of its queue if that is longer.',
        seen.map((location): Sample => [{ location }, this.lagMsAt(location, at(location)) / 1_000]),
      ),
    ].join('');
  }

  private lagMsAt(location: string, workers: readonly WorkerReport[]): number {
    const queued = this.queue.waiting.filter((one) => one.queue === 'checks' && one.location === location);
    return Math.max(0, ...queued.map(({ delayMs }) => delayMs), ...workers.map(({ lagMs }) => lagMs));
  }
}
