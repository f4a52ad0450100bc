import { collectDefaultMetrics, Counter, Gauge, type Registry } from 'prom-client';
import { type Role } from '../../config/roles.js';

/** Registers a gauge that is read at each scrape. */
export function readGauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

/** Registers a counter that another part of the process counts, and that is read at each scrape. */
export function readCounter(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

/** Registers what every process has: its roles, and the metrics of the process and of Node.js. */
export function registerProcess(registry: Registry, roles: readonly Role[]): void {
  const info = new Gauge({
    name: 'daywatch_role_info',
    help: '1 for each role of this process.',
    labelNames: ['role'],
    registers: [registry],
  });
  for (const role of roles) info.set({ role }, 1);
  collectDefaultMetrics({ register: registry });
}

/** The parts of a process that make checks. */
export interface ProbingParts {
  runner: { figures: { running: number; waiting: number; replaced: number } };
  canaries: { networkAvailable: boolean };
  clock: { aheadMs(): number };
}

/** Registers the figures of checks in progress, and of what their results depend on. */
export function registerProbing(registry: Registry, { runner, canaries, clock }: ProbingParts): void {
  readGauge(registry, 'daywatch_checks_running', 'Running checks.', () => runner.figures.running);
  readGauge(
    registry,
    'daywatch_checks_waiting',
    'Checks that are due and waiting for a free place in a probe thread.',
    () => runner.figures.waiting,
  );
  readCounter(
    registry,
    'daywatch_probe_threads_replaced_total',
    'Probe threads that exited or did not respond for 2 s, and were replaced.',
    () => runner.figures.replaced,
  );
  readGauge(
    registry,
    'daywatch_network_available',
    '0 while no canary responds and most checks fail, otherwise 1.',
    () => Number(canaries.networkAvailable),
  );
  readGauge(
    registry,
    'daywatch_clock_ahead_seconds',
    'How far check timestamps are ahead of the system clock after it was set back, otherwise 0.',
    () => clock.aheadMs() / 1_000,
  );
}
