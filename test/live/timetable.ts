import { SECOND_MS } from '../../src/domain/durations.js';
import { type Dice } from '../fuzz/dice.js';

/** The state of a target. `lossy`: each request fails at random; `slow`: it responds correctly, but late. */
export type Mode = 'up' | 'down' | 'slow' | 'lossy';
/** The failure of a target that is down: an error response, a reset connection, or silence until the timeout. */
export type Failure = 'error' | 'reset' | 'silence';

export interface Stretch {
  mode: Mode;
  failure: Failure;
  forMs: number;
}

const FAILURES: readonly Failure[] = ['error', 'reset', 'silence'];

/**
 * Draws a timetable of about `lengthMs` that starts and ends with an up target: long and short outages, flaps, slow and
 * lossy phases.
 */
export function timetable(dice: Dice, lengthMs: number): Stretch[] {
  const stretches: Stretch[] = [];
  let left = lengthMs - 30 * SECOND_MS;
  const add = (mode: Mode, forMs: number): void => {
    const failure = FAILURES[dice.below(FAILURES.length)]!;
    stretches.push({ mode, failure, forMs });
    left -= forMs;
  };
  const between = (least: number, most: number): number => (least + dice.below(most - least)) * SECOND_MS;
  add('up', between(12, 40));
  while (left > 0) {
    const kind = dice.below(10);
    if (kind < 4) add('down', between(15, 60));
    else if (kind < 6) add('down', between(1, 6));
    else if (kind < 7)
      for (let flap = 0; flap < 4; flap += 1) for (const mode of ['down', 'up'] as const) add(mode, between(8, 12));
    else if (kind < 9) add('slow', between(15, 30));
    else add('lossy', between(15, 30));
    add('up', between(12, 45));
  }
  return stretches;
}
