import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { AppConfig } from '../../config/app-config.js';
import { isDatabaseAway } from '../../database/database-fault.js';
import { poolFigures } from '../../database/pool-figures.js';
import { countDelays, makeDelayMemory } from '../../probes/thread/loop-delay.js';
import { CanariesService } from '../checker/canaries.service.js';
import { DispatcherService } from '../checker/dispatcher.service.js';
import { FinishedChecksService } from '../checker/finished-checks.service.js';
import { RecorderService } from '../checker/recorder.service.js';
import { ResultIntakeService } from '../checker/result-intake.service.js';
import { RunnerService } from '../checker/runner.service.js';
import { SlotClockService } from '../checker/slot-clock.service.js';
import { TrialRunnerService } from '../checks/trial-runner.service.js';
import { PingsService } from '../heartbeats/pings.service.js';
import { MonitorNamesService } from '../monitors/monitor-names.service.js';
import { type NotificationBacklog, NotificationBacklogService } from '../notifications/notification-backlog.service.js';
import { NotificationOutcomesService } from '../notifications/notification-outcomes.service.js';
import { type SubscriberBacklog, SubscriberBacklogs } from '../status-pages/subscribers/subscriber-backlog.service.js';
import { SubscriberOutcomes } from '../status-pages/subscribers/subscriber-outcomes.service.js';
import { TeamLimits } from '../teams/team-limits.service.js';
import { TeamsService } from '../teams/teams.service.js';
import { WatchdogService } from '../watchdog/watchdog.service.js';
import { CheckTallies } from './check-tallies.js';
import { MetricsSource } from './metrics-source.js';
import { delaysText, limitsText, stallsText, watchdogText } from './pressure.js';
import { backlogText, NotificationTallies } from './notification-tallies.js';
import { MonitorSeries } from './monitor-series.js';
import { registerProbing, registerProcess } from './process-figures.js';
import { RequestMetrics } from './request-metrics.js';
import { registerServiceFigures } from './service-figures.js';
import { SharedWorkService } from './shared-work.service.js';
import { subscriberBacklogText, subscriberTallies } from './subscriber-tallies.js';
import { StallWatch } from './stall-watch.js';

const NAME_MS = 1_000;
const PRUNE_MS = 30_000;
const BACKLOG_MS = 10_000;
const NAMES_AT_ONCE = 5_000;

/**
 * The Prometheus metrics of this process. Unless a setting enables them, only the delay of the event loop is measured:
 * requests that stall it are logged in any case.
 */
@Injectable()
export class MetricsService extends MetricsSource implements OnModuleDestroy {
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
    config: AppConfig,
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
    private readonly sharedWork: SharedWorkService,
    outcomes: NotificationOutcomesService,
    private readonly backlogs: NotificationBacklogService,
    subscriberOutcomes: SubscriberOutcomes,
    private readonly subscriberBacklogs: SubscriberBacklogs,
    private readonly watchdog: WatchdogService,
    pings: PingsService,
    dataSource: DataSource,
  ) {
    super(config);
    this.stopCounting = countDelays(this.delays, (delayMs) => this.stalls.beat(delayMs));
    if (!this.isEnabled) return;
    registerProcess(this.registry, config.get('ROLES'));
    registerProbing(this.registry, { runner, canaries, clock });
    registerServiceFigures(this.registry, { dispatcher, intake, recorder, pings, pool: () => poolFigures(dataSource) });
    this.requests = new RequestMetrics(this.registry);
    const checks = (this.checks = new CheckTallies());
    finished.onFinished((batch) => checks.take(batch));
    const notifications = (this.notifications = new NotificationTallies());
    outcomes.onOutcomes((some) => notifications.take(some));
    subscriberOutcomes.onOutcome((one) => this.subscribers.take(one));
    if (!config.get('METRICS_PER_MONITOR')) return;
    const series = (this.series = new MonitorSeries((id, location) => dispatcher.schedules(id, location)));
    finished.onFinished((batch) => series.take(batch));
  }

  onModuleDestroy(): void {
    this.stopCounting();
  }

  /**
   * Looks up the names of monitors whose first result, or first result of a new revision, has arrived, or whose team was
   * renamed.
   */
  @Interval(NAME_MS)
  nameSeries(): Promise<void> {
    this.naming ??= this.findNames().finally(() => (this.naming = null));
    return this.naming;
  }

  /** Reads how many notifications, events and mails to subscribers wait, and the workers, so that a scrape does not. */
  @Interval(BACKLOG_MS)
  countBacklog(): Promise<void> {
    this.counting ??= this.readBacklog().finally(() => (this.counting = null));
    return this.counting;
  }

  @Interval(PRUNE_MS)
  async prune(): Promise<void> {
    if (!this.series) return;
    this.series.prune();
    try {
      this.series.noteTeams(await this.teamNames());
    } catch (error) {
      if (!isDatabaseAway(error)) this.logger.error('could not read the names of teams', error);
    }
  }

  protected async *text(): AsyncGenerator<string> {
    yield await this.registryText(this.registry);
    if (this.checks) yield this.checks.text(this.sharedWork.locations) + this.sharedWork.text();
    if (this.notifications) yield this.notifications.text() + backlogText(this.backlog);
    if (this.notifications) yield this.subscribers.text() + subscriberBacklogText(this.subscriberBacklog);
    const threads = { main: this.delays, runner: this.runner, trials: this.trials };
    yield delaysText(threads) + stallsText(this.stalls.stalled) + limitsText(this.limits.reached);
    yield watchdogText(this.watchdog.figures);
    if (this.series) yield* this.series.text();
  }

  private async readBacklog(): Promise<void> {
    if (!this.notifications) return;
    try {
      [this.backlog, this.subscriberBacklog] = await Promise.all([
        this.backlogs.read(),
        this.subscriberBacklogs.read(),
        this.sharedWork.read(),
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
      const teams = await this.teamNames();
      for (let from = 0; from < ids.length; from += NAMES_AT_ONCE) {
        const found = await this.names.of(ids.slice(from, from + NAMES_AT_ONCE));
        this.series!.name(found.map((one) => ({ ...one, team: teams.get(one.teamId) ?? one.teamId })));
      }
    } catch (error) {
      this.series!.leaveUnnamed(ids);
      if (!isDatabaseAway(error)) this.logger.error('could not read the names of monitors', error);
    }
  }

  /** Returns the names of all teams, by id. */
  private async teamNames(): Promise<Map<string, string>> {
    return new Map((await this.teams.find()).map(({ id, name }) => [id as string, name]));
  }
}
