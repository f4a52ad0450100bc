import { noteNewest } from '../../../domain/memo.js';
import { NumberRows } from './number-rows.js';
import { packed, PACKED_WIDTH, unpacked } from './packed-state.js';
import { type LocationRow, type LockedMonitor } from './state-records.js';

/** Beyond it, those that were remembered longest ago are forgotten: their rows are read again. */
const MAX_MONITORS = 250_000;

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
  private readonly plain = new NumberRows(PACKED_WIDTH, MAX_MONITORS);
  /** Those that numbers alone do not tell. */
  private readonly others = new Map<string, Remembered>();

  /** What is remembered of a monitor that has this version now; an object of the caller's own. */
  recall(monitorId: string, version: number): Remembered | undefined {
    const at = this.plain.find(monitorId);
    const found = at === undefined ? this.others.get(monitorId) : unpacked(monitorId, this.plain.cells, at);
    if (found?.monitor.version !== version) return undefined;
    // The transaction that changes it may be rolled back.
    return at === undefined ? { ...found, monitor: { ...found.monitor } } : found;
  }

  /** Once the transaction that wrote it has been committed. */
  remember(monitor: LockedMonitor, locations: readonly LocationRow[]): void {
    const { monitorId } = monitor;
    const numbers = packed(monitor, locations);
    if (numbers) {
      this.others.delete(monitorId);
      this.plain.set(monitorId, numbers);
    } else {
      this.plain.delete(monitorId);
      noteNewest(this.others, monitorId, { monitor, locations }, MAX_MONITORS);
    }
  }

  forget(): void {
    this.plain.clear();
    this.others.clear();
  }
}
