import { type Interval } from './intervals.js';
import { type ClockStep } from './script.types.js';

/** The documented speed of the slot clock while it waits for a wall clock that was set back. */
const WAITING_RATE = 0.9;

interface Piece {
  /** The true time at which the piece starts. */
  trueFrom: number;
  slotFrom: number;
  rate: number;
}

/**
 * The expected reading of the slot clock at a true time, computed only from the script of the wall clock: the slot
 * clock follows steps forward at once, and runs slowly until a wall clock that was set back has caught up with it.
 */
export class SlotTime {
  private readonly pieces: Piece[] = [{ trueFrom: -Infinity, slotFrom: 0, rate: 1 }];
  /** Skipped slot time, in which no check can have run. */
  readonly jumps: Interval[] = [];

  constructor(steps: readonly ClockStep[]) {
    for (const { at, offsetMs } of steps) {
      const reading = this.at(at);
      const wall = at + offsetMs;
      while (this.pieces.at(-1)!.trueFrom >= at) this.pieces.pop();
      if (wall >= reading) {
        this.jumps.push({ from: reading, to: wall });
        this.pieces.push({ trueFrom: at, slotFrom: wall, rate: 1 });
      } else {
        const caughtUp = at + (reading - wall) / (1 - WAITING_RATE);
        this.pieces.push({ trueFrom: at, slotFrom: reading, rate: WAITING_RATE });
        this.pieces.push({ trueFrom: caughtUp, slotFrom: caughtUp + offsetMs, rate: 1 });
      }
    }
  }

  at(trueMs: number): number {
    const { trueFrom, slotFrom, rate } = this.pieces.findLast((piece) => piece.trueFrom <= trueMs)!;
    return trueFrom === -Infinity ? trueMs : slotFrom + rate * (trueMs - trueFrom);
  }

  of({ from, to }: Interval): Interval {
    return { from: this.at(from), to: this.at(to) };
  }
}
