import { noteNewest } from '../../../domain/memo.js';
import { NumberRows } from './number-rows.js';
import { packed, PACKED_WIDTH, unpacked } from './packed-state.js';
import { type LocationRow, type LockedMonitor } from './state-records.js';

/** Beyond this number, the monitors that were remembered first are forgotten, and their rows must be read again. */
const MAX_MONITORS = 250_000;

interface Remembered {
  monitor: LockedMonitor;
  locations: readonly LocationRow[];
}

/**
 * A cache of the rows that this process last wrote, so that they need not be read again with each result. Every write
 * to data that the state depends on increments the version of the monitor. Results recorded by another process
 * increment only the version of the location; the next write detects that.
 */
export class StateMemory {
  private readonly plain = new NumberRows(PACKED_WIDTH, MAX_MONITORS);
  /** Monitors that numbers cannot represent. */
  private readonly others = new Map<string, Remembered>();

  /** Returns the cached rows of a monitor if they have this version. The caller may change the returned monitor. */
  recall(monitorId: string, version: number): Remembered | undefined {
    const at = this.plain.find(monitorId);
    const found = at === undefined ? this.others.get(monitorId) : unpacked(monitorId, this.plain.cells, at);
    if (found?.monitor.version !== version) return undefined;
    // A copy, because the transaction that changes it may be rolled back.
    return at === undefined ? { ...found, monitor: { ...found.monitor } } : found;
  }

  /** Caches the rows of a monitor. Call it after the transaction that wrote them has been committed. */
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
