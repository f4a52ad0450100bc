import { readdir } from 'node:fs/promises';
import { type Fleet } from './fleet.js';
import { type Member } from './plan.js';

const LOOK_MS = 100;
/** What was read from a disk is recorded within this time after its file was last seen. */
const RECORDED_WITHIN_MS = 5_000;

/** Notes when processes keep results on their disks, which they record themselves, whoever has the lease. */
export class SpoolWatch {
  private readonly seen = new Map<string, number[]>();
  private isOver = false;
  private readonly looking: Promise<void>;

  constructor(fleet: Fleet, members: readonly Member[]) {
    this.looking = this.look(fleet, members);
  }

  /** Returns whether what a process recorded at a time may have come from its disk. */
  wasUsed(member: string, at: number): boolean {
    return (this.seen.get(member) ?? []).some((seen) => seen - LOOK_MS <= at && at <= seen + RECORDED_WITHIN_MS);
  }

  async close(): Promise<void> {
    this.isOver = true;
    await this.looking;
  }

  private async look(fleet: Fleet, members: readonly Member[]): Promise<void> {
    while (!this.isOver) {
      for (const member of members) {
        const names = await readdir(fleet.spoolOf(member)).catch(() => []);
        if (names.some((name) => name.endsWith('.spool')))
          this.seen.set(member, [...(this.seen.get(member) ?? []), Date.now()]);
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }
}
