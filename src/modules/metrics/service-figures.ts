import { collectDefaultMetrics, Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type PoolFigures } from '../../database/pool-figures.js';

/** Where the figures of a process are read. */
export interface Sources {
  dispatcher: { figures: { monitors: number; missedSlots: number; dispatching: boolean } };
  runner: { figures: { running: number; waiting: number; replaced: number } };
  intake: { figures: { waiting: number; recorded: number; dropped: number; spooled: number; spoolBytes: number } };
  recorder: { onRecorded(observer: (results: number, ms: number) => void): void };
  canaries: { networkAvailable: boolean };
  clock: { aheadMs(): number };
  pool: () => PoolFigures;
}

/** Registers what the parts of the service count themselves, read at each scrape, and the figures of the process. */
export function registerServiceFigures(registry: Registry, sources: Sources): void {
  const registers = [registry];
  const { dispatcher, runner, intake, recorder, canaries, clock } = sources;

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

  gauge('daywatch_dispatching', '1 where this process dispatches.', () => Number(dispatcher.figures.dispatching));
  gauge('daywatch_monitors_scheduled', 'Monitors on schedule.', () => dispatcher.figures.monitors);
  counter('daywatch_slots_missed_total', 'Slots without a check.', () => dispatcher.figures.missedSlots);
  gauge('daywatch_checks_running', 'Checks under way.', () => runner.figures.running);
  gauge('daywatch_checks_waiting', 'Checks that wait for a free place.', () => runner.figures.waiting);
  counter(
    'daywatch_probe_threads_replaced_total',
    'Probe threads that ended or stood still, and were replaced.',
    () => {
      return runner.figures.replaced;
    },
  );
  gauge('daywatch_network_available', '0 while no canary answers and most checks fail.', () =>
    Number(canaries.networkAvailable),
  );
  gauge(
    'daywatch_clock_ahead_seconds',
    'How far checks are stamped ahead of the system clock, which was set back.',
    () => clock.aheadMs() / 1_000,
  );
  gauge('daywatch_results_waiting', 'Results in memory, not recorded yet.', () => intake.figures.waiting);
  counter('daywatch_results_recorded_total', 'Results recorded.', () => intake.figures.recorded);
  counter('daywatch_results_dropped_total', 'Results given up.', () => intake.figures.dropped);
  gauge('daywatch_spool_results', 'Results in the spool on disk.', () => intake.figures.spooled);
  gauge('daywatch_spool_bytes', 'Size of the spool on disk.', () => intake.figures.spoolBytes);
  watchRecording(registry, recorder);
  watchPool(registry, sources.pool);
  collectDefaultMetrics({ register: registry });
}

function watchRecording(registry: Registry, recorder: Sources['recorder']): void {
  const registers = [registry];
  const size = new Histogram({
    name: 'daywatch_recording_batch_results',
    help: 'Results in a batch that was recorded.',
    buckets: [1, 5, 10, 25, 50, 100, 250, 500, 1_000],
    registers,
  });
  const duration = new Histogram({
    name: 'daywatch_recording_duration_seconds',
    help: 'How long the transaction of a batch took.',
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
    help: 'Open connections to the database.',
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
    help: 'Connections to the database at most.',
    registers,
    collect() {
      this.set(pool().most);
    },
  });
  new Gauge({
    name: 'daywatch_database_requests_waiting',
    help: 'Work that waits for a connection to the database.',
    registers,
    collect() {
      this.set(pool().waiting);
    },
  });
}
