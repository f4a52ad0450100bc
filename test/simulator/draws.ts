import { type Dice } from '../fuzz/dice.js';

/** Draws a duration in whole milliseconds, uniformly on a logarithmic scale. */
export function between(dice: Dice, shortest: number, longest: number): number {
  return Math.round(shortest * (longest / shortest) ** (dice.below(10_000) / 10_000));
}
