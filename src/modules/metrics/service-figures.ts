import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type PoolFigures } from '../../database/pool-figures.js';
import { readCounter, readGauge } from './process-figures.js';

/** The parts of a process with a database that provide its figures. */
export interface Sources {
  dispatcher: { figures: { monitors: number; missedSlots: number; dispatching: boolean } };
  intake: { figures: { waiting: number; recorded: number; dropped: number; spooled: number; spoolBytes: number } };
  recorder: { onRecorded(observer: (results: number, ms: number) => void): void };
  pool: () => PoolFigures;
  /** Reports of jobs by the status of their response. */
  pings: { answered: ReadonlyMap<number, number> };
}

/** Registers the figures that the parts of the service count themselves, read at each scrape. */
export function registerServiceFigures(registry: Registry, sources: Sources): void {
  const { dispatcher, intake, recorder, pool, pings } = sources;
  readGauge(registry, 'daywatch_dispatching', '1 if this process dispatches checks, otherwise 0.', () =>
    Number(dispatcher.figures.dispatching),
  );
  readGauge(
    registry,
    'daywatch_monitors_scheduled',
    "Monitors in the dispatcher's schedule.",
    () => dispatcher.figures.monitors,
  );
  readCounter(
    registry,
    'daywatch_slots_missed_total',
    'Slots (times at which a check was due) that passed without a check.',
    () => dispatcher.figures.missedSlots,
  );
  readGauge(
    registry,
    'daywatch_results_waiting',
    'Results in memory that are not recorded yet.',
    () => intake.figures.waiting,
  );
  readCounter(registry, 'daywatch_results_recorded_total', 'Results recorded.', () => intake.figures.recorded);
  readCounter(
    registry,
    'daywatch_results_dropped_total',
    'Results dropped because there was no room for them or the database rejected them.',
    () => intake.figures.dropped,
  );
  readGauge(
    registry,
    'daywatch_spool_results',
    'Results on disk, waiting for the database.',
    () => intake.figures.spooled,
  );
  readGauge(registry, 'daywatch_spool_bytes', 'Size of the results on disk.', () => intake.figures.spoolBytes);
  watchRecording(registry, recorder);
  watchPool(registry, pool);
  countPings(registry, pings);
}

function countPings(registry: Registry, pings: Sources['pings']): void {
  new Counter({
    name: 'daywatch_pings_total',
    help: 'Reports of jobs, by the status of their response.',
    labelNames: ['status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [status, count] of pings.answered) this.inc({ status }, count);
    },
  });
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
