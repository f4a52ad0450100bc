import { noteNewest } from '../../domain/memo.js';
import { type LocationRow, type LockedMonitor } from './state-records.js';

/** Beyond it, those that were remembered longest ago are forgotten: their rows are read again. */
const MOST_MONITORS = 250_000;

interface Remembered {
  monitor: LockedMonitor;
  locations: readonly LocationRow[];
}

/**
 * What this process wrote last of monitors, so that their rows need not be read again with each result. Whoever writes
 * what a state depends on raises the version of the monitor; what another process records raises the one of the location,
 * which the next write finds out.
 */
export class StateMemory {
  private readonly known = new Map<string, Remembered>();

  /** What is remembered of a monitor that has this version now. */
  recall(monitorId: string, version: number): Remembered | undefined {
    const found = this.known.get(monitorId);
    return found?.monitor.version === version ? found : undefined;
  }

  /** Once the transaction that wrote it has been committed. */
  remember(monitor: LockedMonitor, locations: readonly LocationRow[]): void {
    noteNewest(this.known, monitor.monitorId, { monitor, locations }, MOST_MONITORS);
  }

  forget(): void {
    this.known.clear();
  }
}
