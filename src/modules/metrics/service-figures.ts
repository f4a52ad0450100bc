import { collectDefaultMetrics, Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type PoolFigures } from '../../database/pool-figures.js';

/** The parts of a process that provide its figures. */
export interface Sources {
  dispatcher: { figures: { monitors: number; missedSlots: number; dispatching: boolean } };
  runner: { figures: { running: number; waiting: number; replaced: number } };
  intake: { figures: { waiting: number; recorded: number; dropped: number; spooled: number; spoolBytes: number } };
  recorder: { onRecorded(observer: (results: number, ms: number) => void): void };
  canaries: { networkAvailable: boolean };
  clock: { aheadMs(): number };
  queue: { delayMs: number };
  roles: readonly string[];
  pool: () => PoolFigures;
}

/** Registers the figures that the parts of the service count themselves, read at each scrape, and process metrics. */
export function registerServiceFigures(registry: Registry, sources: Sources): void {
  const registers = [registry];
  const { dispatcher, runner, intake, recorder, canaries, clock, queue, roles } = sources;

  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  };
  const counter = (name: string, help: string, read: () => number): void => {
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  };

  const info = new Gauge({
    name: 'daywatch_role_info',
    help: '1 for each role of this process.',
    labelNames: ['role'],
    registers,
  });
  for (const role of roles) info.set({ role }, 1);
  gauge(
    'daywatch_queue_delay_seconds',
    'How long the oldest batch of checks or results has been waiting in Redis, otherwise 0.',
    () => queue.delayMs / 1_000,
  );
  gauge('daywatch_dispatching', '1 if this process dispatches checks, otherwise 0.', () =>
    Number(dispatcher.figures.dispatching),
  );
  gauge('daywatch_monitors_scheduled', "Monitors in the dispatcher's schedule.", () => dispatcher.figures.monitors);
  counter(
    'daywatch_slots_missed_total',
    'Slots (times at which a check was due) that passed without a check.',
    () => dispatcher.figures.missedSlots,
  );
  gauge('daywatch_checks_running', 'Running checks.', () => runner.figures.running);
  gauge(
    'daywatch_checks_waiting',
    'Checks that are due and waiting for a free place in a probe thread.',
    () => runner.figures.waiting,
  );
  counter(
    'daywatch_probe_threads_replaced_total',
    'Probe threads that exited or did not respond for 2 s, and were replaced.',
    () => {
      return runner.figures.replaced;
    },
  );
  gauge('daywatch_network_available', '0 while no canary responds and most checks fail, otherwise 1.', () =>
    Number(canaries.networkAvailable),
  );
  gauge(
    'daywatch_clock_ahead_seconds',
    'How far check timestamps are ahead of the system clock after it was set back, otherwise 0.',
    () => clock.aheadMs() / 1_000,
  );
  gauge('daywatch_results_waiting', 'Results in memory that are not recorded yet.', () => intake.figures.waiting);
  counter('daywatch_results_recorded_total', 'Results recorded.', () => intake.figures.recorded);
  counter(
    'daywatch_results_dropped_total',
    'Results dropped because there was no room for them or the database rejected them.',
    () => intake.figures.dropped,
  );
  gauge('daywatch_spool_results', 'Results on disk, waiting for the database.', () => intake.figures.spooled);
  gauge('daywatch_spool_bytes', 'Size of the results on disk.', () => intake.figures.spoolBytes);
  watchRecording(registry, recorder);
  watchPool(registry, sources.pool);
  collectDefaultMetrics({ register: registry });
}

function watchRecording(registry: Registry, recorder: Sources['recorder']): void {
  const registers = [registry];
  const size = new Histogram({
    name: 'daywatch_recording_batch_results',
    help: 'Results per recorded batch.',
    buckets: [1, 5, 10, 25, 50, 100, 250, 500, 1_000],
    registers,
  });
  const duration = new Histogram({
    name: 'daywatch_recording_duration_seconds',
    help: 'Duration of the transaction that records a batch.',
    buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  recorder.onRecorded((results, ms) => {
    size.observe(results);
    duration.observe(ms / 1_000);
  });
}

function watchPool(registry: Registry, pool: Sources['pool']): void {
  const registers = [registry];
  new Gauge({
    name: 'daywatch_database_connections',
    help: 'Open database connections, idle or busy.',
    labelNames: ['state'],
    registers,
    collect() {
      const { idle, busy } = pool();
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'busy' }, busy);
    },
  });
  new Gauge({
    name: 'daywatch_database_connections_max',
    help: 'Maximum number of database connections (DATABASE_POOL).',
    registers,
    collect() {
      this.set(pool().most);
    },
  });
  new Gauge({
    name: 'daywatch_database_requests_waiting',
    help: 'Requests that are waiting for a free database connection.',
    registers,
    collect() {
      this.set(pool().waiting);
    },
  });
}
