import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { createHash, timingSafeEqual } from 'node:crypto';
import { type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { AppConfig } from '../../config/app-config.js';
import { isDatabaseAway } from '../../database/database-fault.js';
import { poolFigures } from '../../database/pool-figures.js';
import { countDelays, type DelayMemory, makeDelayMemory } from '../../probes/thread/loop-delay.js';
import { CanariesService } from '../checker/canaries.service.js';
import { CheckQueueStateService } from '../checker/check-queue-state.service.js';
import { DispatcherService } from '../checker/dispatcher.service.js';
import { FinishedChecksService } from '../checker/finished-checks.service.js';
import { RecorderService } from '../checker/recorder.service.js';
import { ResultIntakeService } from '../checker/result-intake.service.js';
import { RunnerService } from '../checker/runner.service.js';
import { SlotClockService } from '../checker/slot-clock.service.js';
import { TrialRunnerService } from '../checks/trial-runner.service.js';
import { MonitorNamesService } from '../monitors/monitor-names.service.js';
import { type NotificationBacklog, NotificationBacklogService } from '../notifications/notification-backlog.service.js';
import { NotificationOutcomesService } from '../notifications/notification-outcomes.service.js';
import { type SubscriberBacklog, SubscriberBacklogs } from '../status-pages/subscribers/subscriber-backlog.service.js';
import { SubscriberOutcomes } from '../status-pages/subscribers/subscriber-outcomes.service.js';
import { TeamLimits } from '../teams/team-limits.service.js';
import { TeamsService } from '../teams/teams.service.js';
import { WatchdogService } from '../watchdog/watchdog.service.js';
import { CheckTallies } from './check-tallies.js';
import { CONTENT_TYPE } from './exposition.js';
import { delaysText, limitsText, stallsText, watchdogText } from './pressure.js';
import { backlogText, NotificationTallies } from './notification-tallies.js';
import { MonitorSeries } from './monitor-series.js';
import { RequestMetrics } from './request-metrics.js';
import { registerServiceFigures } from './service-figures.js';
import { subscriberBacklogText, subscriberTallies } from './subscriber-tallies.js';
import { StallWatch } from './stall-watch.js';

const NAME_MS = 1_000;
const PRUNE_MS = 30_000;
const BACKLOG_MS = 10_000;
const NAMES_AT_ONCE = 5_000;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * The Prometheus metrics of this process. Unless a setting enables them, only the delay of the event loop is measured:
 * requests that stall it are logged in any case.
 */
@Injectable()
export class MetricsService implements OnModuleDestroy {
  private readonly logger = new Logger(MetricsService.name);
  private readonly registry = new Registry();
  private readonly checks: CheckTallies | null = null;
  private readonly series: MonitorSeries | null = null;
  private readonly notifications: NotificationTallies | null = null;
  private readonly delays = makeDelayMemory();
  private readonly stopCounting: () => void;
  private naming: Promise<void> | null = null;
  private counting: Promise<void> | null = null;
  private readonly subscribers = subscriberTallies();
  private backlog: NotificationBacklog | null = null;
  private subscriberBacklog: SubscriberBacklog | null = null;

  /** Middleware that measures requests; null if metrics are off. */
  readonly requests: RequestMetrics | null = null;

  /** Middleware that tracks the requests in progress. */
  readonly stalls = new StallWatch((text) => this.logger.warn(text));

  constructor(
    private readonly config: AppConfig,
    private readonly names: MonitorNamesService,
    private readonly teams: TeamsService,
    finished: FinishedChecksService,
    dispatcher: DispatcherService,
    private readonly runner: RunnerService,
    private readonly trials: TrialRunnerService,
    private readonly limits: TeamLimits,
    intake: ResultIntakeService,
    recorder: RecorderService,
    canaries: CanariesService,
    clock: SlotClockService,
    queue: CheckQueueStateService,
    outcomes: NotificationOutcomesService,
    private readonly backlogs: NotificationBacklogService,
    subscriberOutcomes: SubscriberOutcomes,
    private readonly subscriberBacklogs: SubscriberBacklogs,
    private readonly watchdog: WatchdogService,
    dataSource: DataSource,
  ) {
    this.stopCounting = countDelays(this.delays, (delayMs) => this.stalls.beat(delayMs));
    if (config.get('METRICS_TOKEN') === null && config.get('METRICS_PORT') === null) return;
    registerServiceFigures(this.registry, {
      dispatcher,
      runner,
      intake,
      recorder,
      canaries,
      clock,
      queue,
      roles: config.get('ROLES'),
      pool: () => poolFigures(dataSource),
    });
    this.requests = new RequestMetrics(this.registry);
    const checks = (this.checks = new CheckTallies());
    finished.onFinished((batch) => checks.take(batch));
    const notifications = (this.notifications = new NotificationTallies());
    outcomes.onOutcomes((some) => notifications.take(some));
    subscriberOutcomes.onOutcome((one) => this.subscribers.take(one));
    if (!config.get('METRICS_PER_MONITOR')) return;
    const series = (this.series = new MonitorSeries((id) => dispatcher.schedules(id)));
    finished.onFinished((batch) => series.take(batch));
  }

  onModuleDestroy(): void {
    this.stopCounting();
  }

  /** Returns whether this `Authorization` header may read the metrics; without `METRICS_TOKEN`, any may. */
  admits(authorization: string | undefined): boolean {
    const token = this.config.get('METRICS_TOKEN');
    return token === null || timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`));
  }

  /**
   * Sends all current metrics. Does not query the database, and never rejects, since a scraper may disconnect any time.
   */
  async send(response: ServerResponse): Promise<void> {
    response.setHeader('Content-Type', CONTENT_TYPE);
    try {
      await pipeline(Readable.from(this.text()), response);
    } catch (error) {
      this.logger.debug?.('a scrape was aborted', error);
      response.destroy();
    }
  }

  /** Looks up the names of monitors whose first result, or first result of a new revision, has arrived. */
  @Interval(NAME_MS)
  nameSeries(): Promise<void> {
    this.naming ??= this.findNames().finally(() => (this.naming = null));
    return this.naming;
  }

  /** Reads how many notifications, events and mails to subscribers wait, so that a scrape does not. */
  @Interval(BACKLOG_MS)
  countBacklog(): Promise<void> {
    this.counting ??= this.readBacklog().finally(() => (this.counting = null));
    return this.counting;
  }

  @Interval(PRUNE_MS)
  prune(): void {
    this.series?.prune();
  }

  private async *text(): AsyncGenerator<string> {
    // prom-client writes `Nan` for the mean of no values, which strict parsers do not accept as a number.
    yield (await this.registry.metrics()).replaceAll(' Nan\n', ' NaN\n');
    if (this.checks) yield this.checks.text();
    if (this.notifications) yield this.notifications.text() + backlogText(this.backlog);
    if (this.notifications) yield this.subscribers.text() + subscriberBacklogText(this.subscriberBacklog);
    yield delaysText(this.threads()) + stallsText(this.stalls.stalled) + limitsText(this.limits.reached);
    yield watchdogText(this.watchdog.figures);
    if (this.series) yield* this.series.text();
  }

  private threads(): ReadonlyMap<string, DelayMemory> {
    const probes = this.runner.delays.map((delays, index): [string, DelayMemory] => [`probes-${index}`, delays]);
    return new Map([['main', this.delays], ...probes, ['trials', this.trials.delays]]);
  }

  private async readBacklog(): Promise<void> {
    if (!this.notifications) return;
    try {
      [this.backlog, this.subscriberBacklog] = await Promise.all([
        this.backlogs.read(),
        this.subscriberBacklogs.read(),
      ]);
    } catch (error) {
      // Figures of another time could hide that the backlog grows.
      this.backlog = this.subscriberBacklog = null;
      if (!isDatabaseAway(error)) this.logger.error('could not count pending notifications', error);
    }
  }

  private async findNames(): Promise<void> {
    const ids = this.series?.takeUnnamed() ?? [];
    if (ids.length === 0) return;
    try {
      const teams = new Map((await this.teams.find()).map(({ id, name }) => [id as string, name]));
      for (let from = 0; from < ids.length; from += NAMES_AT_ONCE) {
        const found = await this.names.of(ids.slice(from, from + NAMES_AT_ONCE));
        this.series!.name(found.map((one) => ({ ...one, team: teams.get(one.teamId) ?? one.teamId })));
      }
    } catch (error) {
      this.series!.leaveUnnamed(ids);
      if (!isDatabaseAway(error)) this.logger.error('could not read the names of monitors', error);
    }
  }
}
